"""Title, summary, chapters, key moments, entities and topics of a transcript, chosen and never written.

Extractive: every sentence shown was said, every title is made of words that were said, shown, or given by the uploader.
"""

from collections import Counter
from functools import cached_property
from itertools import pairwise
from typing import Any

from svc.engine.context import seconds
from svc.engine.seen import Scene, Seen
from svc.engine.synthesis import slides, titles
from svc.engine.synthesis.chapters import boundaries, uploaders
from svc.engine.synthesis.entities import entities
from svc.engine.synthesis.keyphrases import Phrase, Phrases
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.moments import key_moments
from svc.engine.synthesis.sentences import sentences
from svc.engine.synthesis.summary import MAX_BULLETS, Ranking
from svc.engine.synthesis.wording import capitalised, clipped, is_caseless, shown
from svc.engine.transcript import Transcript

MODEL = "extractive-1"
TOPICS = 8
TITLE_MENTIONS, TITLE_CHOICE = 3, 3
LONG_WORDS = 1500  # from here on single words that come up often make a title
MIN_CHAPTER_WORDS = 25
LONG_FROM_CHAPTERS, LONG_FROM_WORDS, LONG_SENTENCES = 3, 200, 12
MAX_SLIDE_BULLETS = 6
LEAST_TURNS, LEAST_PART = 4, 0.1  # of a conversation: turns, and what each speaker says of it
UNTITLED = "Untitled"


class Digest:
    """One transcript, read once, and the parts of its synthesis."""

    def __init__(self, transcript: Transcript, meta: dict[str, Any], seen: Seen | None = None):
        self.segments, self.meta = transcript.segments, meta
        self.scenes: list[Scene] = seen.scenes if seen else []
        self.overview = seen.overview if seen else ""
        self.language = Language.of(transcript.language or meta.get("language"), transcript.text)
        self.sentences = sentences(self.segments, self.language)

    def synthesis(self, full: bool = True) -> dict[str, Any]:
        """The contract's `synthesis` object; without `full` only title, summary and topics are filled."""
        return {
            "title": self.title,
            "language": self.language.tag,
            "model": MODEL,
            "summary": self.summary(with_long=full),
            "chapters": self.chapters() if full else [],
            "keyMoments": self.key_moments() if full else [],
            "entities": self.entities() if full else [],
            "topics": self.topics(),
            "glossaryFixes": [],
        }

    @cached_property
    def words(self) -> int:
        return sum(sentence.length for sentence in self.sentences)

    @cached_property
    def caseless(self) -> bool:
        return is_caseless(sentence.text for sentence in self.sentences)

    @cached_property
    def ranking(self) -> Ranking:
        return Ranking(self.sentences, self.language)

    @cached_property
    def given_chapters(self) -> list[tuple[int, str]]:
        """The uploader's own chapters, at least two: the first sentence and the title of each."""
        given = uploaders(self.sentences, self.meta.get("chapters") or [])
        return given if len(given) > 1 else []

    @cached_property
    def slides(self) -> list[slides.Slide]:
        return slides.slides(self.scenes, max((sentence.end for sentence in self.sentences), default=0.0))

    @cached_property
    def parts(self) -> list[tuple[int, int, str | None]]:
        """First and last sentence (without it) of every chapter, with the uploader's title where there is one."""
        named: list[tuple[int, str | None]] = list(self.given_chapters)
        if not named:
            named = list(slides.chapters(self.sentences, self.slides))
        if not named:
            named = [(first, None) for first in boundaries(self.sentences, [scene.start for scene in self.scenes])]
        ends = [first for first, _ in [*named, (len(self.sentences), None)][1:]]
        return [(first, end, title) for (first, title), end in zip(named, ends, strict=True)]

    @cached_property
    def phrases(self) -> Phrases:
        return Phrases([[s.text for s in self.sentences[first:last]] for first, last, _ in self.parts], self.language)

    @cached_property
    def tldr(self) -> list[int]:
        return self.ranking.tldr()

    def shown(self, at: int) -> str:
        return shown(self.sentences[at].text, self.language, self.caseless)

    @cached_property
    def title(self) -> str:
        headings = (heading for scene in self.scenes if (heading := titles.heading(scene)))
        spoken = self.phrases.of_all(2, least=TITLE_MENTIONS)
        return (
            titles.own_title(self.meta)
            or next(headings, None)
            or (titles.of_phrases(spoken, self.language) if self.is_telling(spoken) else None)
            or titles.of_word(self.meta)
            or self.telling_sentence()
            or titles.of_sentence(self.overview)
            or self.meta.get("title")
            or UNTITLED
        )

    def is_telling(self, phrases: list[Phrase]) -> bool:
        """Whether phrases make a title: two single words out of a short text tell little."""
        longer = any(len(phrase.key) > 1 for phrase in phrases)
        return bool(phrases) and (longer or self.words >= LONG_WORDS or not self.language.spaced)

    def telling_sentence(self) -> str:
        """The best sentence that is short enough for a title, else the start of the best one."""
        best = self.ranking.best(0, len(self.sentences), TITLE_CHOICE) or self.tldr
        texts = [titles.of_sentence(self.shown(at)) for at in best]
        return next((text for text in texts if not text.endswith("…")), texts[0] if texts else "")

    def summary(self, with_long: bool) -> dict[str, Any]:
        shown = [slide.line for slide in slides.longest(self.slides, MAX_SLIDE_BULLETS)]
        spoken = self.ranking.bullets([first for first, _, _ in self.parts], self.tldr)
        parts = filter(None, [self.conversation, self.joined(self.tldr) or self.overview])
        summary: dict[str, Any] = {
            "tldr": self.language.joined(parts),
            "bullets": list(dict.fromkeys([*shown, *map(self.shown, spoken)]))[:MAX_BULLETS],
        }
        if with_long and len(self.parts) >= LONG_FROM_CHAPTERS and self.words >= LONG_FROM_WORDS:
            highlights = [at for at in self.highlights if at is not None]
            summary["long"] = self.joined(self.ranking.few(highlights, LONG_SENTENCES))
        return summary

    @cached_property
    def conversation(self) -> str | None:
        """That two people talk, or several, where they take turns."""
        said: Counter[str] = Counter()
        for sentence in self.sentences:
            said[sentence.speaker or ""] += sentence.length
        turns = sum(one.speaker != other.speaker for one, other in pairwise(self.sentences)) + 1
        taking_part = [count for count in said.values() if count >= LEAST_PART * self.words]
        if "" in said or turns < LEAST_TURNS or len(taking_part) < 2:
            return None
        return self.language.phrases.dialogue if len(taking_part) == 2 else self.language.phrases.round

    def joined(self, chosen: list[int]) -> str:
        """Sentences in a row; one without a full stop is set off by an ellipsis."""
        texts = [self.shown(at) if self.sentences[at].wholeness == 1 else f"{self.shown(at)}…" for at in chosen]
        return self.language.joined(dict.fromkeys(texts)).removesuffix("…")

    @cached_property
    def highlights(self) -> list[int | None]:
        """The one sentence that stands for each chapter, None where none can stand alone."""
        chosen = [self.ranking.best(first, last, 1, self.tldr) for first, last, _ in self.parts]
        return [best[0] if best else None for best in chosen]

    def chapters(self) -> list[dict[str, Any]]:
        if self.words < MIN_CHAPTER_WORDS:
            return []
        starts = [seconds(self.segments[self.sentences[first].segment].start) for first, _, _ in self.parts]
        ends = [*starts[1:], seconds(max(segment.end for segment in self.segments))]
        return [self.chapter(number, start, end) for number, (start, end) in enumerate(zip(starts, ends, strict=True))]

    def chapter(self, number: int, start: float, end: float) -> dict[str, Any]:
        first, last, given = self.parts[number]
        best = self.highlights[number]
        title = (
            given
            or titles.of_slide(self.scenes, start, end)
            or (self.title if len(self.parts) == 1 else self.phrase_title(number))
            or titles.of_sentence(self.shown(first if best is None else best))
        )
        summary = {} if best is None else {"summary": self.shown(best)}
        return {"start": start, "end": end, "title": title, **summary, "anchor": self.sentences[first].segment}

    def phrase_title(self, number: int) -> str | None:
        phrases = self.phrases.of_chapter(number, 2)
        return titles.of_phrases(phrases, self.language) if phrases and phrases[0].count > 1 else None

    def key_moments(self) -> list[dict[str, Any]]:
        found = key_moments(self.sentences, self.ranking.scores, self.language)
        return [
            {
                "time": seconds(self.segments[sentence.segment].start),
                "label": clipped(self.shown(sentence.index)),
                "kind": kind,
                "segmentIndex": sentence.segment,
            }
            for sentence, kind in found
        ]

    def entities(self) -> list[dict[str, Any]]:
        found = entities(self.sentences, self.language)
        return [{"name": name, "kind": kind, "mentions": count} for name, kind, count in found]

    def topics(self) -> list[str]:
        lines = " ".join(text for scene in self.scenes for text in scene.text)
        shown = frozenset(map(self.language.stem, self.language.words(lines)))
        return [capitalised(phrase.text, self.language) for phrase in self.phrases.of_all(TOPICS, preferred=shown)]
