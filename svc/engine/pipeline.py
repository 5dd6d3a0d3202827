"""The stages in order: resolve, download, extract, transcribe, synthesize; at the end a checked Context.

The visual layer's place is between transcribe and synthesize.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from svc.core import prices, schema
from svc.core.errors import EngineError
from svc.engine import context
from svc.engine.facts import Facts
from svc.engine.keys import layer_key
from svc.engine.links.url import display_url
from svc.engine.plan import plan
from svc.engine.resolve import Source
from svc.engine.run import Run, elapsed_ms
from svc.engine.transcript import Coverage, Transcript

Layer = dict[str, Any]
"""A finished layer as it is stored: its `value`, and the warnings and models that belong to it."""

NOTHING_SAID = "nothing was said"
NO_TOKENS = {"in": 0, "out": 0, "thought": 0, "audioIn": 0, "videoIn": 0}


class Pipeline:
    """One run from source to Context. A layer whose part is there already is not made again."""

    def __init__(self, run: Run):
        self.run_, self.request = run, run.request
        self.tiers: list[dict[str, Any]] = []
        self.models: dict[str, str] = {}
        self.audio_seconds = 0.0
        self.began = time.monotonic()

    def run(self) -> dict[str, Any]:
        """The Context, also written to `context.json` in the run's folder. Raises EngineError."""
        self.run_.emit("start", input=self.shown_input(), mode=self.request.mode)
        with Source(self.run_) as source:
            with self.run_.stage("resolve"):
                facts = source.facts()
                layers = plan(self.request.mode, facts, self.request.options.detail)
            self.emit_plan(layers, facts)
            transcript, coverage = self.transcript(layers, source, facts)
        synthesis = self.synthesis(transcript, facts) if "synthesis" in layers else None
        return self.finish(facts, transcript, coverage, synthesis)

    def shown_input(self) -> str:
        """The link or file as it may be shown: no credentials, no signed query, no path of this machine."""
        if self.request.kind == "url":
            return display_url(self.request.location)
        return self.request.file_name or Path(self.request.location).name

    def emit_plan(self, layers: tuple[str, ...], facts: Facts) -> None:
        minutes = prices.shown(prices.charge(layers, facts.duration or 0))
        self.run_.emit(
            "plan",
            mode=self.request.mode,
            tiers=list(layers),
            mediaSeconds=facts.duration,
            minutes=minutes,
            cached=all(self.run_.is_stored(layer) for layer in layers),
        )

    def transcript(self, layers: tuple[str, ...], source: Source, facts: Facts) -> tuple[Transcript | None, Coverage]:
        """Captions when they are planned and readable, else speech to text where the mode allows it."""
        if "captions" in layers:
            try:
                return unpack(self.layer("captions", facts, lambda: self.read_captions(source)), facts)
            except EngineError as error:
                if not self.may_listen(facts) or error.code != "SOURCE_UNAVAILABLE":
                    raise
                self.tiers.append({"tier": "captions", "status": "failed", "reason": error.message})
        return unpack(self.layer("audio", facts, lambda: self.listen(source)), facts)

    def may_listen(self, facts: Facts) -> bool:
        return self.request.mode == "auto" and self.request.may_listen and facts.has_audio is not False

    def layer(self, name: str, facts: Facts, make: Callable[[], Layer]) -> Layer:
        """A layer made now or by an earlier run, with its warnings and models noted either way."""
        began, hit = time.monotonic(), self.run_.is_stored(name)
        key = layer_key(name, facts.content_id, self.request, self.run_.config)
        self.run_.emit("cache", tier=name, hit=hit, key=key[:12])
        made, _ = self.run_.part(name, make)
        for warning in made["warnings"]:
            self.run_.warn(warning["code"], warning["message"], **warning["data"])
        self.models |= made["models"]
        status = "cached" if hit else "ok"
        self.tiers.append({"tier": name, "status": status, "ms": elapsed_ms(began), "usd": 0, **made.get("counts", {})})
        return made

    def read_captions(self, source: Source) -> Layer:
        with self.run_.stage("download"):
            found = read_subtitles(source) if source.is_file else source.link.captions(self.request.languages)
            if found is None:
                raise EngineError("SOURCE_UNAVAILABLE", "The captions cannot be read.", hint="Use mode audio.")
        seconds = found.segments[-1].end
        coverage = Coverage(transcribed_seconds=sum(s.end - s.start for s in found.segments))
        return self.pack(found, coverage, seconds, {})

    def listen(self, source: Source) -> Layer:
        from svc.engine.extract import extract
        from svc.engine.transcribe import transcribe

        if source.is_file:
            path = source.path()
        else:
            with self.run_.stage("download"):
                path = source.link.download(self.run_.folder, "audio")
        with self.run_.stage("extract"):
            _, audio = extract(self.run_, path)
        assert audio is not None
        self.audio_seconds = audio.seconds
        with self.run_.stage("transcribe"):
            transcript, coverage = transcribe(self.run_, audio)
        models = {"asr": transcript.model} if transcript else {}
        counts = {
            "chunks": self.run_.parts_below("transcribe"),
            "retries": coverage.repaired_windows + coverage.unrepaired_windows,
        }
        return {**self.pack(transcript, coverage, audio.seconds, models), "counts": counts}

    def pack(self, transcript: Transcript | None, coverage: Coverage, seconds: float, models: dict[str, Any]) -> Layer:
        return {
            "value": transcript.to_part() if transcript else None,
            "coverage": coverage.to_part(),
            "seconds": seconds,
            "models": models,
            "warnings": list(self.run_.warnings),
        }

    def synthesis(self, transcript: Transcript | None, facts: Facts) -> dict[str, Any] | None:
        if transcript is None:
            self.run_.part("synthesis", lambda: {"value": None, "warnings": [], "models": {}})
            self.run_.skip("synthesize", NOTHING_SAID)
            self.tiers.append({"tier": "synthesis", "status": "skipped", "reason": NOTHING_SAID})
            return None
        return self.layer("synthesis", facts, lambda: self.synthesize(transcript, facts))["value"]

    def synthesize(self, transcript: Transcript, facts: Facts) -> Layer:
        from svc.engine.synthesize import synthesize

        with self.run_.stage("synthesize"):
            value = synthesize(self.run_, transcript, facts.meta)
        return {"value": value, "warnings": [], "models": {"synthesis": value["model"]}}

    def finish(
        self, facts: Facts, transcript: Transcript | None, coverage: Coverage, synthesis: dict[str, Any] | None
    ) -> dict[str, Any]:
        """Builds, checks and writes the Context, then tells of the end."""
        usage = {
            "audioSeconds": context.seconds(self.audio_seconds),
            "videoSeconds": 0,
            "tokens": NO_TOKENS,
            "usdEstimate": 0,
        }
        built = context.build(
            self.request, facts, transcript, coverage, synthesis, self.tiers, self.run_.warnings, usage, self.models
        )
        schema.check_large("context", built)
        write(built, self.run_)
        self.run_.emit("usage", **usage)
        words = len(transcript.text.split()) if transcript else 0
        summary = {
            "durationSeconds": facts.meta.get("durationSeconds"),
            "ms": elapsed_ms(self.began),
            "usd": 0,
            "words": words,
        }
        self.run_.emit("done", summary=summary)
        return built


def unpack(layer: Layer, facts: Facts) -> tuple[Transcript | None, Coverage]:
    """A stored layer's transcript; the length it measured counts where the source named none."""
    facts.meta.setdefault("durationSeconds", context.seconds(layer["seconds"]))
    transcript = Transcript.from_part(layer["value"]) if layer["value"] else None
    return transcript, Coverage.from_part(layer["coverage"])


def read_subtitles(source: Source) -> Transcript | None:
    from svc.engine.media.subtitles import read_subtitles

    return read_subtitles(source.path(), source.run.request.languages)


def write(built: dict[str, Any], run: Run) -> None:
    half = run.folder / "context.half"
    half.write_text(json.dumps(built, ensure_ascii=False), "utf-8")
    half.replace(run.folder / "context.json")
