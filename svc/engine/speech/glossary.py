"""Terms that the caller gave, put right where the recogniser wrote something that sounds like them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from svc.engine.speech.edits import Edit
from svc.engine.speech.second_look import confidence
from svc.engine.speech.sentences import sentences
from svc.engine.speech.sound import Sounds, sounds_of
from svc.engine.speech.text import bare, spell, tokens
from svc.engine.transcript import Word

Fix = tuple[str, str]
"""What stood there, and the term that took its place."""

MOST_WORDS = 3  # that may have been heard instead of one
FEWEST_SOUNDS = 4  # shorter terms are like too much else
# How far the sound may be from the term's, as a share of it: of words that nobody knows, and of those in doubt.
SAME_SOUND, NEAR_SOUND = 0.18, 0.25
DOUBTFUL = 0.6  # mean confidence below which words of the dictionary may be wrong

AROUND = re.compile(r"(\W*)(.*?)((?:['’]s)?\W*)", re.DOTALL)
ENDING = re.compile(r"(s|es|d|ed|ing)$")


@dataclass(frozen=True)
class Term:
    """A term of the vocabulary as it is written and as it sounds."""

    text: str
    sound: Sounds

    @cached_property
    def bare(self) -> str:
        return bare(self.text)

    @property
    def own_capitals(self) -> bool:
        """Whether it has capitals that no place in a sentence explains."""
        return self.text[1:] != self.text[1:].lower()


@dataclass(frozen=True, order=True)
class Miss:
    """So many words were heard instead of the term, at such a distance in sound."""

    distance: float
    size: int
    term: Term = field(compare=False)


class Glossary:
    """The terms, ready to be found in speech of one language."""

    def __init__(self, vocabulary: Iterable[str], language: str | None):
        self.language = language
        terms = (Term(text, sounds_of(text, language)) for text in vocabulary)
        self.terms = [term for term in terms if len(term.sound.units) >= FEWEST_SOUNDS]
        self.longest = max([MOST_WORDS, *(len(term.text.split()) + 1 for term in self.terms)])

    def put_right(self, words: list[Word]) -> tuple[list[Word], list[Fix]]:
        """The words with every near miss of a term replaced, and what was replaced. Times stay."""
        if not self.terms:
            return words, []
        right: list[Word] = []
        fixes: list[Fix] = []
        for sentence in sentences(words):
            rest = sentence.words
            while rest:
                found = self.miss(rest)
                size = found.size if found else 1
                if found:
                    fixes.append((parted(rest[:size])[1], found.term.text))
                right += replaced(rest[:size], found.term) if found else rest[:size]
                rest = rest[size:]
        return right, fixes

    def miss(self, words: list[Word]) -> Miss | None:
        """The near miss of a term that the words begin with, unless a better one begins within it."""
        found = self.best(words)
        inner = (self.best(words[begin:]) for begin in range(1, found.size if found else 1))
        return None if any(other and other < found for other in inner if found) else found

    def best(self, words: list[Word]) -> Miss | None:
        sizes = range(1, min(self.longest, len(words)) + 1)
        return min(
            (Miss(distance, size, term) for size in sizes for distance, term in self.near(words[:size])), default=None
        )

    def near(self, words: list[Word]) -> Iterator[tuple[float, Term]]:
        """The terms that the words, all together, may have been meant to be, and how far they are in sound.

        Words that a dictionary has are let alone unless the recogniser was unsure of them.
        """
        _, text, _ = parted(words)
        heard, sure = bare(text), confidence(words)
        doubtful = sure is not None and sure < DOUBTFUL
        sound = sounds_of(text, self.language)
        for term in self.terms:
            if text == term.text or is_form(heard, term.bare):
                continue
            if heard == term.bare:
                if term.own_capitals or len(words) > 1 or not sound.known:
                    yield 0.0, term
            elif doubtful or not sound.known:
                distance = sound.distance(term.sound)
                if distance <= (NEAR_SOUND if doubtful else SAME_SOUND) and self.takes_all(words, term, distance):
                    yield distance, term

    def takes_all(self, words: list[Word], term: Term, distance: float) -> bool:
        """Whether it takes the first word and the last one to sound so much like the term."""
        fewer = [words[1:], words[:-1]] if len(words) > 1 else []
        return all(sounds_of(parted(some)[1], self.language).distance(term.sound) > distance for some in fewer)


def is_form(word: str, term: str) -> bool:
    """Whether a word is the term's plural or the like, or the other way round: nothing was misheard."""
    return word != term and ENDING.sub("", word) == ENDING.sub("", term)


def parted(words: list[Word]) -> tuple[str, str, str]:
    """The words' text, and before and after it the punctuation and the possessive around it."""
    match = AROUND.fullmatch(spell(words))
    assert match  # as it does everything
    return match[1], match[2], match[3]


def replaced(words: list[Word], term: Term) -> list[Word]:
    before, _, after = parted(words)
    return Edit(words, tokens(before + term.text + after), words[0].start, words[-1].end).made()


def counted(fixes: Iterable[Fix]) -> list[dict[str, Any]]:
    """The contract's `glossaryFixes`, the most frequent first."""
    return [{"from": heard, "to": term, "count": count} for (heard, term), count in Counter(fixes).most_common()]
