"""A Context as it is read for an answer: what in it can be relied on, and citations of it that are exact.

A Context may come from outside: its form has been checked against the schema, what it says has not.
"""

from functools import cached_property
from typing import Any

from svc.engine.seen import Scene, Seen
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import Sentence, sentences
from svc.engine.synthesis.wording import clipped
from svc.engine.transcript import Segment
from svc.engine.writing.material import readable

LAST_SECOND = 1e7
MOST_LETTERS = 20_000  # a longer segment is no sentence and no caption line
NAME_LETTERS, OVERVIEW_LETTERS = 80, 1000
Citation = dict[str, Any]


class Reading:
    """`segments` are those that hold readable text at a possible time, in order of time."""

    def __init__(self, context: dict[str, Any]):
        self.context = context
        self.meta, self.synthesis = context["meta"], context["synthesis"] or {}
        self.transcript = context["transcript"] or {}
        stored = enumerate(self.transcript.get("segments", []))
        usable = [(at, segment) for at, segment in stored if is_usable(segment)]
        usable.sort(key=lambda item: item[1]["start"])
        self.segments = [Segment(s["start"], s["end"], s["text"], s.get("speaker")) for _, s in usable]
        self.place = {at: place for place, (at, _) in enumerate(usable)}

    @cached_property
    def language(self) -> Language:
        tag = self.transcript.get("language") or self.meta.get("language") or self.synthesis.get("language")
        shown = "" if self.segments else " ".join(text for text, _ in self.shown)
        return Language.of(readable(tag or ""), " ".join(segment.text for segment in self.segments[:100]) or shown)

    @cached_property
    def sentences(self) -> list[Sentence]:
        return sentences(self.segments, self.language)

    @cached_property
    def seen(self) -> Seen | None:
        visual = self.context["visual"]
        if not visual:
            return None
        scenes = [
            Scene(scene["start"], scene["end"], readable(scene["description"]), lines_of(scene["onScreenText"]))
            for scene in visual["scenes"]
            if is_time(scene)
        ]
        overview = clipped(readable(visual.get("overview") or ""), OVERVIEW_LETTERS)
        lines = [(readable(line["text"]), line["first"], line["last"]) for line in visual["onScreenText"]]
        kept = [line for line in lines if line[0] and 0 <= line[1] <= line[2] <= LAST_SECOND]
        scenes.sort(key=lambda scene: scene.start)
        return Seen("", 0.0, visual["value"], overview, scenes, kept, 0.0)

    @cached_property
    def shown(self) -> list[tuple[str, float]]:
        """What was on screen, each text with the second it came up: the scenes, and lines that no scene has."""
        if not self.seen:
            return []
        scenes = [(" · ".join(scene.text) or scene.description, scene.start) for scene in self.seen.scenes]
        told = {text for scene in self.seen.scenes for text in scene.text}
        lines = [(text, first) for text, first, _ in self.seen.lines if text not in told]
        return sorted(((text, start) for text, start in [*scenes, *lines] if text), key=lambda item: item[1])

    @cached_property
    def speakers(self) -> dict[str, str]:
        """What each speaker is called, by id."""
        listed = self.transcript.get("speakers", [])
        return {
            speaker["id"]: readable(speaker.get("label") or "")[:NAME_LETTERS] or speaker["id"] for speaker in listed
        }

    def cite(self, first: int, last: int) -> list[Citation]:
        """Segments `first` to `last` (with it), each as it is stored."""
        cited = self.segments[first : last + 1]
        return [{"start": segment.start, "end": segment.end, "text": segment.text} for segment in cited]

    def at(self, stored: Any) -> int | None:
        """The place of a stored segment among the usable ones, None when it is not one of them."""
        return self.place.get(stored)


def is_time(span: dict[str, Any]) -> bool:
    """Comparisons, for a number out of JSON may be infinite, no number, or too large for a float."""
    return 0 <= span["start"] <= span["end"] <= LAST_SECOND


def is_usable(segment: dict[str, Any]) -> bool:
    text = segment["text"]
    whole = len(text) <= MOST_LETTERS and not any("\ud800" <= letter <= "\udfff" for letter in text)
    return whole and is_time(segment) and any(letter.isalnum() for letter in text)


def lines_of(texts: list[str]) -> list[str]:
    return [line for text in texts if (line := readable(text))]
