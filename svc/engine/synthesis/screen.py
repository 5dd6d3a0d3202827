"""Title, summary, entities and topics of a recording in which nothing was said, from what was on screen.

Without a transcript there are no segments for chapters and key moments to lie on.
"""

from collections import Counter
from functools import cached_property
from typing import Any

from svc.engine.seen import Seen
from svc.engine.synthesis import titles
from svc.engine.synthesis.digest import MODEL, TOPICS, UNTITLED
from svc.engine.synthesis.entities import entities
from svc.engine.synthesis.keyphrases import Phrases
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import Sentence, sentences
from svc.engine.synthesis.slides import in_a_line
from svc.engine.synthesis.wording import capitalised, clipped
from svc.engine.transcript import Segment

TLDR_HEADINGS, MAX_BULLETS = 3, 8


class ScreenDigest:
    """What was on screen, read once, and the parts of its synthesis."""

    def __init__(self, seen: Seen, meta: dict[str, Any]):
        self.seen, self.meta = seen, meta
        text = " ".join(text for scene in seen.scenes for text in scene.text)
        self.language = Language.of(meta.get("language"), text or seen.overview)

    def synthesis(self, full: bool = True) -> dict[str, Any]:
        """The contract's `synthesis` object, without chapters and key moments."""
        return {
            "title": self.title,
            "language": self.language.tag,
            "model": MODEL,
            "summary": self.summary(),
            "chapters": [],
            "keyMoments": [],
            "entities": self.entities() if full else [],
            "topics": self.topics(),
            "glossaryFixes": [],
        }

    @cached_property
    def headings(self) -> list[str]:
        """What the scenes are headed with, each once, in order."""
        found = (titles.heading(scene) for scene in self.seen.scenes)
        return list(dict.fromkeys(heading for heading in found if heading))

    @cached_property
    def title(self) -> str:
        own = titles.own_title(self.meta) or next(iter(self.headings), None) or titles.of_word(self.meta)
        return own or titles.of_sentence(self.seen.overview) or self.meta.get("title") or UNTITLED

    def summary(self) -> dict[str, Any]:
        headings = [heading for heading in self.headings if heading != self.title]
        tldr = self.seen.overview or " · ".join(headings[:TLDR_HEADINGS]) or self.title
        told = Counter(clipped(line) for scene in self.seen.scenes if (line := in_a_line(scene)))
        wordless = {clipped(scene.description) for scene in self.seen.scenes if not scene.text}
        empty = {line for line in wordless if told[line] > 1}  # what is said of several tells nothing of any
        return {
            "tldr": tldr,
            "bullets": [line for line in told if line not in {tldr, self.title} | empty][:MAX_BULLETS],
        }

    def lines(self) -> list[Sentence]:
        """Every line that was shown, as a sentence of its own."""
        shown = dict.fromkeys(text for scene in self.seen.scenes for text in scene.text)
        return [sentence for text in shown for sentence in sentences([Segment(0, 0, text)], self.language)]

    def entities(self) -> list[dict[str, Any]]:
        found = entities(self.lines(), self.language)
        return [{"name": name, "kind": kind, "mentions": count} for name, kind, count in found]

    def topics(self) -> list[str]:
        """The phrases that scenes share, else the headings."""
        phrases = Phrases([scene.text for scene in self.seen.scenes], self.language).of_all(TOPICS)
        return [capitalised(phrase.text, self.language) for phrase in phrases] or self.headings[:TOPICS]
