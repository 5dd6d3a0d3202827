"""A synthesis written by a language model and held to what is in the recording.

A recording that fits is read at once. A longer one is read in stretches, cut between segments, of which each yields
notes; what is about the whole is written from the notes. Every answer is kept, so that a crash costs none twice.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from svc.core.errors import EngineError
from svc.engine.models.protocol import LanguageModel
from svc.engine.run import Run
from svc.engine.seen import Seen
from svc.engine.synthesis.digest import TOPICS, Digest
from svc.engine.synthesis.screen import ScreenDigest
from svc.engine.transcript import Segment
from svc.engine.writing import prompts, snap
from svc.engine.writing.material import harmless, marked, material, stretches
from svc.engine.writing.plain import distinct, plain

MOST_READ = 100_000  # a longer text is read in stretches even where more fits: about two hours of speech
ASIDE, LEAST_READ = 3000, 1000  # letters kept free for what is told beside the recording; and read at the least
MOST_TOKENS, ANSWER_SHARE = 8000, 4  # of an answer; never more than a fourth of what the model reads
TITLE_LETTERS, TLDR_LETTERS, BULLET_LETTERS, LONG_LETTERS, TOPIC_LETTERS, NOTE_LETTERS = 120, 600, 300, 4000, 60, 400
MAX_BULLETS, MAX_MOMENTS = 8, 24
ABOUT_LETTERS = {"title": 200, "channel": 100, "description": 600}
LAST_NOTES, MOST_ANCHORS = 2, 100
MINUTES_A_CHAPTER = 6.0
MIN_MOMENTS, MOMENTS_A_MINUTE = 3, 0.5

PLACES = ("chapters", "keyMoments", "entities")
WHOLE = ("title", "tldr", "bullets", "topics")

Answer = dict[str, Any]


def write(run: Run, model: LanguageModel, digest: Digest | ScreenDigest, seen: Seen | None, full: bool) -> Answer:
    """The contract's `synthesis` object but for `glossaryFixes`. Raises EngineError when the model fails."""
    return Writer(run, model, digest, seen, full).synthesis()


@dataclass
class Stretch:
    """Segments (or scenes) from `first` up to but without `last`, and the lines that tell of them."""

    first: int
    last: int
    lines: list[str]


class Writer:
    def __init__(self, run: Run, model: LanguageModel, digest: Digest | ScreenDigest, seen: Seen | None, full: bool):
        self.run, self.model, self.digest, self.full = run, model, digest, full
        self.segments: list[Segment] = digest.segments if isinstance(digest, Digest) else []
        self.language = prompts.language_name(digest.language.tag)
        self.lines = [line[: self.room] for line in material(self.segments, seen)]
        shown = [text for text, _, _ in seen.lines] if seen else []
        self.text = "\n".join([*(segment.text for segment in self.segments), *shown])
        self.source = " ".join([self.text, digest.meta.get("description") or ""])
        self.calls = 0

    @cached_property
    def extracted(self) -> Answer:
        """The synthesis without a model, of which is taken what the model left empty."""
        return self.digest.synthesis(self.full)

    def synthesis(self) -> Answer:
        answer = self.answer()
        summary: dict[str, Any] = {
            "tldr": self.plain(answer["tldr"], TLDR_LETTERS) or self.extracted["summary"]["tldr"],
            "bullets": self.plain_list(answer["bullets"], BULLET_LETTERS, MAX_BULLETS)
            or self.extracted["summary"]["bullets"],
        }
        if self.full and (long := self.plain(answer["long"], LONG_LETTERS)):
            summary["long"] = long
        return {
            "title": self.plain(answer["title"], TITLE_LETTERS) or self.extracted["title"],
            "language": self.digest.language.tag,
            "model": self.model.name,
            "summary": summary,
            "chapters": self.chapters(answer["chapters"]) if self.full else [],
            "keyMoments": self.key_moments(answer["keyMoments"]) if self.full else [],
            "entities": snap.entities(answer["entities"], self.text, self.digest.language) if self.full else [],
            "topics": self.plain_list(answer["topics"], TOPIC_LETTERS, TOPICS) or self.extracted["topics"],
        }

    def chapters(self, answers: list[Answer]) -> list[Answer]:
        """The uploader's own chapters with the model's sentence on each, where there are some; else the model's."""
        found = snap.chapters(answers, self.segments, self.source)
        if not self.given:
            return found or self.extracted["chapters"]
        told = {chapter["anchor"]: {"summary": chapter["summary"]} for chapter in found if "summary" in chapter}
        return [chapter | told.get(chapter["anchor"], {}) for chapter in self.extracted["chapters"]]

    def key_moments(self, answers: list[Answer]) -> list[Answer]:
        return snap.key_moments(answers, self.segments, self.source) or self.extracted["keyMoments"]

    @cached_property
    def given(self) -> list[int]:
        """The segments at which the uploader's own chapters begin."""
        if not isinstance(self.digest, Digest):
            return []
        return [self.digest.sentences[first].segment for first, _ in self.digest.given_chapters]

    def plain(self, text: str, letters: int) -> str:
        return plain(text, letters, self.source)

    def plain_list(self, texts: list[str], letters: int, most: int) -> list[str]:
        return distinct((self.plain(text, letters) for text in texts), most)

    def answer(self) -> Answer:
        """Everything that was asked for, of the whole recording."""
        whole = (*WHOLE, *(("long",) if self.full else ()))
        places = PLACES if self.full else ()
        runs = stretches(self.lines, self.room)
        if len(runs) <= 1:
            return self.ask(self.fields(*whole, *places), Stretch(0, len(self.lines), self.lines))
        notes, found = self.read(runs, places)
        return {**self.ask(whole, Stretch(0, 0, self.shortened(notes)), prompts.FROM_NOTES), **found}

    def fields(self, *names: str) -> tuple[str, ...]:
        """Without segments there is nothing for chapters and moments to lie on."""
        return tuple(name for name in names if self.segments or name not in ("chapters", "keyMoments"))

    @property
    def room(self) -> int:
        """How many letters of the recording fit into one question."""
        fields = (*WHOLE, "long", *PLACES)
        told = prompts.instructions(fields, self.language, prompts.NOT_THE_WHOLE, chapters=1, moments=1)
        return max(LEAST_READ, min(MOST_READ, self.model.reads - ASIDE - len(told)))

    def read(self, runs: list[tuple[int, int]], places: tuple[str, ...]) -> tuple[list[str], Answer]:
        """Notes on the whole, and the places in all the stretches, each stretch read in view of the one before."""
        notes: list[str] = []
        found: Answer = {name: [] for name in PLACES}
        before: list[str] = []
        for number, (first, last) in enumerate(runs, 1):
            stretch = Stretch(first, last, self.lines[first:last])
            more = prompts.NOT_THE_WHOLE.format(number=number, count=len(runs))
            answer = self.ask(self.fields("notes", *places), stretch, more, before)
            for name in places:
                found[name] += [place for place in answer[name] if self.is_within(place, stretch)]
            here = [note for text in answer["notes"] if (note := self.note(text))]
            titles = [f"Chapter: {title}" for chapter in answer["chapters"] if (title := self.note(chapter["title"]))]
            notes += titles + here
            before = titles[-1:] + here[-LAST_NOTES:]
            self.run.progress(number, len(runs) + 1, "stretches")
        if not notes:
            raise EngineError("PROVIDER_PROTOCOL", "The language model found nothing to note.")
        return notes, found

    def note(self, text: str) -> str:
        """What the model wrote, fit to be shown to it again."""
        return harmless(self.plain(text, NOTE_LETTERS))

    def is_within(self, place: Answer, stretch: Stretch) -> bool:
        return "segment" not in place or place["segment"] in range(stretch.first, stretch.last)

    def shortened(self, notes: list[str]) -> list[str]:
        """Notes that fit into one question: while they do not, notes are taken on the notes."""
        while len(runs := stretches(notes, self.room)) > 1:
            shorter: list[str] = []
            for first, last in runs:
                answer = self.ask(("notes",), Stretch(0, 0, notes[first:last]), prompts.FROM_NOTES)
                here = [note for text in answer["notes"] if (note := self.note(text))]
                shorter += within(here, self.room // 2)
            notes = shorter
        return notes

    def ask(self, fields: tuple[str, ...], stretch: Stretch, more: str = "", before: list[str] | None = None) -> Answer:
        """One question to the model, or the answer that an earlier attempt of this run got to it."""
        self.calls += 1
        minutes = self.minutes(stretch)
        counts = {
            "chapters": max(1, round(math.sqrt(minutes / MINUTES_A_CHAPTER) * 2)) if minutes else 1,
            "moments": min(MAX_MOMENTS, max(MIN_MOMENTS, round(minutes * MOMENTS_A_MINUTE))),
        }
        anchors = [number for number in self.given if stretch.first <= number < stretch.last][:MOST_ANCHORS]
        if anchors and "chapters" in fields:
            more += prompts.GIVEN_CHAPTERS.format(numbers=", ".join(map(str, anchors)))
        asked = prompts.instructions(fields, self.language, more, **counts)
        parts = [self.about(), marked("before", before) if before else "", marked(prompts.MARK, stretch.lines)]

        def complete() -> Answer:
            most = min(MOST_TOKENS, self.model.reads // ANSWER_SHARE)
            return self.model.complete(asked, [part for part in parts if part], prompts.schema(fields), most)

        answer, _ = self.run.part(f"synthesize/{self.calls:04}", complete)
        return {name: [] for name in PLACES} | answer

    def minutes(self, stretch: Stretch) -> float:
        segments = self.segments[stretch.first : stretch.last]
        return (segments[-1].end - segments[0].start) / 60 if segments else 0.0

    def about(self) -> str:
        """What the source says of itself; material like the rest."""
        meta = self.digest.meta
        given = {
            "title": meta.get("title"),
            "channel": (meta.get("channel") or {}).get("name"),
            "description": meta.get("description"),
        }
        lines = [f"{name}: {harmless(text)[: ABOUT_LETTERS[name]]}" for name, text in given.items() if text]
        return marked("about", lines) if lines else ""


def within(notes: list[str], letters: int) -> list[str]:
    """The first notes that have so many letters together, at least one."""
    kept: list[str] = []
    for note in notes:
        if kept and sum(map(len, kept)) + len(note) > letters:
            break
        kept.append(note)
    return kept
