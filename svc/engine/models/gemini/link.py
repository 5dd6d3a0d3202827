"""Public YouTube videos, which the model opens itself: for links whose media cannot be fetched from here."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from svc.core.errors import EngineError
from svc.engine.language import short_code
from svc.engine.models.gemini import prompts
from svc.engine.models.gemini.api import Api
from svc.engine.models.gemini.faults import FileGone, Refused
from svc.engine.models.gemini.language import Gemini
from svc.engine.models.gemini.notes import FPS, Notes, put_together, share_of, take_notes
from svc.engine.models.gemini.times import WINDOW, processing, spans_in
from svc.engine.run import Run
from svc.engine.seen import Seen
from svc.engine.speech.spans import Span
from svc.engine.transcript import Segment, Transcript

HOSTS = {"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com"}
SHORT_HOST = "youtu.be"
PAGES = ("shorts", "embed", "live", "v")
VIDEO_ID = re.compile(r"[\w-]{11}")

LISTENING_FPS = 0.1  # the picture matters little to who listens
MOST_TOKENS = 32_000
MOST_WINDOWS = 48
SLACK = 15.0  # seconds that may be missing of a window that was read to its end

# What Gemini 3 counts for a second of sound, and for a frame.
AUDIO_TOKENS, FRAME_TOKENS = 25, 70

SCHEMA = {
    "type": "object",
    "properties": {
        "language": {"type": "string"},
        "segments": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in ("start", "end", "text")},
                "required": ["start", "end", "text"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["language", "segments"],
    "additionalProperties": False,
}

Look = Callable[[Span], tuple[dict[str, Any], dict[str, Any]]]
"""Asks about one window: the answer, and the usage of the call."""


class VideoLinks:
    """A LinkReader provider. It sees a video a window at a time, without knowing how many there are."""

    def __init__(self, run: Run):
        self.run, self.model = run, Gemini(Api(run))

    def reads(self, url: str) -> bool:
        return video_id(url) is not None

    def transcribe(self, url: str, languages: tuple[str, ...]) -> Transcript:
        """See `LinkReader`; without segments when nobody speaks. Raises SOURCE_UNAVAILABLE when it cannot be opened."""
        question = {"type": "text", "text": prompts.transcript(languages)}

        def listen(window: Span) -> tuple[dict[str, Any], dict[str, Any]]:
            video = {"type": "video", "uri": watch_link(url), "processing": processing(window, LISTENING_FPS)}
            return self.model.answer(prompts.TRANSCRIPT, [video, question], SCHEMA, MOST_TOKENS)

        heard = list(self.windows("transcribe/link", listen, LISTENING_FPS))
        segments = [segment for window, answer in heard for segment in segments_in(answer["segments"], window)]
        named = (short_code(answer["language"]) for _, answer in heard if answer["segments"])
        return Transcript(
            origin="llm-url",
            timing="segment-approx",
            segments=segments,
            language=next(filter(None, named), None),
            model=self.model.name,
        )

    def watch(self, url: str, fps: float | None, max_scenes: int | None) -> Seen:
        """What is on screen. Raises SOURCE_UNAVAILABLE when the link cannot be opened."""
        fps, noted = fps or FPS, list[tuple[Span, Notes]]()

        def look(window: Span) -> tuple[Notes, dict[str, Any]]:
            so_far = noted[-1][1]["overview"] if noted else ""
            return take_notes(self.model, {"uri": watch_link(url)}, window, fps, share_of(window, max_scenes), so_far)

        for window in self.windows("visual/link", look, fps):
            noted.append(window)
        return put_together(self.model.name, fps, noted, by_link=True)

    def windows(self, name: str, look: Look, fps: float) -> Iterator[tuple[Span, dict[str, Any]]]:
        """Each window that there is, ending where the video ends, with the answer on it."""
        for index in range(MOST_WINDOWS):
            window = index * WINDOW, (index + 1) * WINDOW
            try:
                part, _ = self.run.part(f"{name}-{index:02}", partial(self.read, look, window, fps))
            except (Refused, FileGone) as error:
                if index:
                    return  # it begins behind the end
                raise EngineError("SOURCE_UNAVAILABLE", "The model cannot open this link.") from error
            read = part["seconds"]
            end = window[1] if read is None else min(window[1], window[0] + read)
            yield (window[0], end), part["answer"]
            self.run.progress(end, None, "seconds")
            if read is None or read < WINDOW - SLACK:
                return

    def read(self, look: Look, window: Span, fps: float) -> dict[str, Any]:
        answer, usage = look(window)
        return {"answer": answer, "seconds": seconds_read(usage, fps)}


def seconds_read(usage: dict[str, Any], fps: float) -> float | None:
    """How much of a video a call saw, by what it counted: nothing else tells where the video ends."""
    tokens = {entry["modality"]: entry.get("tokens", 0) for entry in usage.get("input_tokens_by_modality") or ()}
    if tokens.get("audio"):
        return tokens["audio"] / AUDIO_TOKENS
    return tokens["video"] / (FRAME_TOKENS * fps) if tokens.get("video") else None


def segments_in(written: list[dict[str, str]], window: Span) -> list[Segment]:
    """The segments in the whole video, in order; one without a time begins where the last one ended."""
    found: list[Segment] = []
    spans = spans_in(window, [(item["start"], item["end"]) for item in written])
    for item, span in zip(written, spans, strict=True):
        latest = found[-1].end if found else window[0]
        start, end = span or (latest, latest)
        start = max(start, found[-1].start if found else window[0])
        if text := " ".join(item["text"].split()):
            found.append(Segment(start, max(start, end), text))
    return found


def video_id(url: str) -> str | None:
    """The video that a link of YouTube names."""
    parts = urlsplit(url)
    steps = parts.path.strip("/").split("/")
    if parts.hostname == SHORT_HOST:
        name = steps[0]
    elif parts.hostname not in HOSTS:
        return None
    elif steps[0] in PAGES and len(steps) > 1:
        name = steps[1]
    else:
        name = parse_qs(parts.query).get("v", [""])[0]
    return name if VIDEO_ID.fullmatch(name) else None


def watch_link(url: str) -> str:
    return f"https://www.youtube.com/watch?v={video_id(url)}"
