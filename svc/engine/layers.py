"""How each layer of a Context is made, from the source or from the layers before it. Stages load what they need."""

from pathlib import Path
from typing import Any

from svc.core.errors import EngineError
from svc.engine import timed_text
from svc.engine.direct import reader_instead, warn_of_direct_reading
from svc.engine.facts import Facts
from svc.engine.models.protocol import LinkReader
from svc.engine.resolve import Source
from svc.engine.run import Run
from svc.engine.seen import Seen
from svc.engine.transcript import Coverage, Transcript

Layer = dict[str, Any]
"""A finished layer as it is stored: its `value`, and the warnings and models that belong to it."""


class Layers:
    """The layers of one source. Every method runs its stages and raises EngineError."""

    def __init__(self, run: Run, source: Source, facts: Facts):
        self.run, self.source, self.facts, self.languages = run, source, facts, run.request.languages

    def captions(self) -> Layer:
        with self.run.stage("download"):
            found = self.own_subtitles() if self.source.is_file else self.source.link.captions(self.languages)
            if found is None:
                raise EngineError("SOURCE_UNAVAILABLE", "The captions cannot be read.", hint="Use mode audio.")
        seconds = found.segments[-1].end
        coverage = Coverage(transcribed_seconds=sum(s.end - s.start for s in found.segments))
        return pack(found, coverage, seconds, {})

    def own_subtitles(self) -> Transcript | None:
        from svc.engine.media.subtitles import read_subtitles

        found = read_subtitles(self.source.path(), self.languages)
        if found:
            timed_text.check(self.run, found, self.facts.duration, self.languages)
        return found

    def audio(self) -> Layer:
        from svc.engine.extract import extract
        from svc.engine.speech.coverage import with_lost
        from svc.engine.transcribe import transcribe

        try:
            path = self.media("audio")
        except EngineError as error:
            return self.read_link(reader_instead(self.run, error))
        with self.run.stage("extract"):
            _, audio = extract(self.run, path)
        assert audio is not None
        self.run.heard_seconds = audio.seconds
        with self.run.stage("transcribe"):
            transcript, coverage = transcribe(self.run, audio)
        if audio.lost:
            coverage = with_lost(coverage, list(audio.lost))
        models = {"asr": transcript.model} if transcript else {}
        counts = {"chunks": self.run.parts_below("transcribe"), "retries": coverage.retries}
        return {**pack(transcript, coverage, audio.seconds, models), "counts": counts}

    def read_link(self, reader: LinkReader) -> Layer:
        """The transcript as a model wrote it down that opened the link itself."""
        warn_of_direct_reading(self.run)
        with self.run.stage("transcribe"):
            transcript = reader.transcribe(self.run.request.location, self.languages)
        if transcript.segments:
            timed_text.check(self.run, transcript, self.facts.duration, self.languages)
        else:
            self.run.warn("NO_SPEECH_DETECTED", "Nobody seems to speak in this recording.")
        seconds = max((segment.end for segment in transcript.segments), default=0.0)
        coverage = Coverage(transcribed_seconds=sum(s.end - s.start for s in transcript.segments))
        models = {"asr": transcript.model} if transcript.model else {}
        return pack(transcript if transcript.segments else None, coverage, seconds, models)

    def media(self, want: str) -> Path:
        """The file with the sound (`audio`) or the picture (`video`)."""
        if self.source.is_file:
            return self.source.path()
        with self.run.stage("download"):
            return self.source.link.download(self.run.folder, want)

    def visual(self) -> Layer:
        from svc.engine.visual import watch

        try:
            path = self.media("video")
        except EngineError as error:
            seen = self.watch_link(reader_instead(self.run, error))
        else:
            with self.run.stage("visual"):
                seen = watch(self.run, path)
        return {"value": seen.to_part(), "models": {"visual": seen.model}}

    def watch_link(self, reader: LinkReader) -> Seen:
        from svc.engine.visual import checked

        warn_of_direct_reading(self.run)
        options = self.run.request.options
        with self.run.stage("visual"):
            seen = reader.watch(self.run.request.location, options.fps, options.max_scenes)
            return checked(self.run, seen, self.facts.duration)

    def synthesis(self, transcript: Transcript | None, seen: Seen | None) -> Layer:
        """A summary; one that only stands in for what a model failed to write says why, and is not kept for others."""
        from svc.engine.synthesize import stood_in, synthesize

        with self.run.stage("synthesize"):
            value = synthesize(self.run, transcript, self.facts.meta, seen)
        why = {"stoodIn": reason} if (reason := stood_in(self.run, value)) else {}
        return {"value": value, "models": {"synthesis": value["model"]}, **why}


def pack(transcript: Transcript | None, coverage: Coverage, seconds: float, models: dict[str, Any]) -> Layer:
    return {
        "value": transcript.to_part() if transcript else None,
        "coverage": coverage.to_part(),
        "seconds": seconds,
        "models": models,
    }
