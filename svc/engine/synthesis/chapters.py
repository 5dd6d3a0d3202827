"""Where one topic ends and the next begins.

Utiyama and Isahara, "A Statistical Model for Domain-Independent Text Segmentation" (2001): the boundaries under which
the words of every chapter are most probable, found by dynamic programming. A prior keeps chapters from being small.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from svc.engine.synthesis.sentences import Sentence

PRIOR = 2.0
MIN_SECONDS = 60.0
MIN_WORDS = 100
UNIT_SECONDS = (4.0, 30.0)
HINT_SECONDS = 6.0
UNITS = 400
MAX_CHAPTERS_AN_HOUR = 12
SPAN_SHARE, LEAST_SPAN = 0.34, 60
LONG_CHAPTER_SECONDS = 1200.0
SNAP_SECONDS = 1.5
LONG_PAUSE, PAUSE_WORTH = 1.5, 2.0


@dataclass
class Unit:
    """Sentences that stay together, from `first` up to but without `last`."""

    first: int
    last: int
    start: float
    end: float
    terms: Counter[str]
    words: int


def units(sentences: list[Sentence]) -> list[Unit]:
    """Stretches of about the same length; each begins in a segment of its own."""
    duration = sentences[-1].end - sentences[0].start
    size = min(UNIT_SECONDS[1], max(UNIT_SECONDS[0], duration / UNITS))
    found: list[Unit] = []
    for at, sentence in enumerate(sentences):
        new = not found or (sentence.start - found[-1].start >= size and sentence.segment > sentences[at - 1].segment)
        if new:
            found.append(Unit(at, at, sentence.start, sentence.end, Counter(), 0))
        found[-1].last, found[-1].end = at + 1, max(found[-1].end, sentence.end)
        found[-1].terms.update(sentence.terms)
        found[-1].words += sentence.length
    return found


def uploaders(sentences: list[Sentence], given: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """The uploader's own chapters in which something is said: the index of the first sentence, and the title."""
    given = sorted((chapter for chapter in given if chapter.get("title")), key=lambda chapter: chapter["start"])
    found: list[tuple[int, str]] = []
    for at, sentence in enumerate(sentences):
        begun = [chapter["title"] for chapter in given if chapter["start"] <= sentence.start + SNAP_SECONDS]
        title = begun[-1] if begun else None
        new_segment = at == 0 or sentence.segment > sentences[at - 1].segment
        if title and new_segment and (not found or found[-1][1] != title):
            found.append((at if found else 0, title))
    return found


def boundaries(sentences: list[Sentence], hints: Sequence[float] = ()) -> list[int]:
    """The index of each chapter's first sentence, the first always 0. `hints` are times that favour a boundary."""
    if not sentences:
        return []
    blocks = units(sentences)
    most = 1 + int(MAX_CHAPTERS_AN_HOUR * (0.15 + (blocks[-1].end - blocks[0].start) / 3600))
    prior = PRIOR
    while len(firsts := divided(blocks, prior, hints)) > most:
        prior *= 1.5
    return [block.first for block in firsts]


def divided(blocks: list[Unit], prior: float, hints: Sequence[float]) -> list[Unit]:
    """The first block of every chapter; a chapter that is too long to be of use is parted again by itself."""
    cuts = segment(blocks, prior, hints)
    if len(cuts) == 1:
        return blocks[:1]
    chapters = [blocks[first:last] for first, last in pairwise([*cuts, len(blocks)])]
    too_long = [chapter[-1].end - chapter[0].start > LONG_CHAPTER_SECONDS for chapter in chapters]
    parts = zip(chapters, too_long, strict=True)
    return [first for chapter, long in parts for first in (divided(chapter, prior, hints) if long else chapter[:1])]


def segment(blocks: list[Unit], prior: float, hints: Sequence[float]) -> list[int]:
    """The cheapest partition of the blocks: the index of each part's first block."""
    all_terms = sum((block.terms for block in blocks), Counter())
    penalty = prior * math.log(2 + all_terms.total())
    weights = [count * math.log(count + 1) for count in range(1 + max(all_terms.values(), default=0))]
    reach = max(LEAST_SPAN, int(len(blocks) * SPAN_SHARE))
    costs, previous = [0.0] + [math.inf] * len(blocks), [0] * (len(blocks) + 1)
    for first in range(len(blocks)):
        if costs[first] == math.inf:
            continue
        base = costs[first] + penalty - (bonus(blocks, first, hints) if first else 0.0)
        for length, cost in part_costs(blocks[first : first + reach], len(all_terms), weights):
            last = first + length
            if base + cost < costs[last] and is_long_enough(blocks, first, last):
                costs[last], previous[last] = base + cost, first
    cuts, at = [], len(blocks)
    while at > 0:
        at = previous[at]
        cuts.append(at)
    return cuts[::-1]


def part_costs(blocks: list[Unit], vocabulary: int, weights: list[float]) -> Iterator[tuple[int, float]]:
    """For each length, minus the log-probability of the words of so many blocks as one part.

    `weights` holds n log(n + 1) for every count n that a word may have.
    """
    counts: Counter[str] = Counter()
    total, fit = 0, 0.0
    for length, block in enumerate(blocks, 1):
        for term, more in block.terms.items():
            had = counts[term]
            counts[term] = had + more
            total += more
            fit += weights[had + more] - weights[had]
        yield length, total * math.log(1 + total + vocabulary) - fit


def is_long_enough(blocks: list[Unit], first: int, last: int) -> bool:
    if first == 0 and last == len(blocks):
        return True
    part = blocks[first:last]
    return part[-1].end - part[0].start >= MIN_SECONDS and sum(block.words for block in part) >= MIN_WORDS


def bonus(blocks: list[Unit], at: int, hints: Sequence[float]) -> float:
    """What speaks for a boundary before this block: a pause in speech, or a change on screen."""
    pause = blocks[at].start - blocks[at - 1].end
    near = any(abs(hint - blocks[at].start) <= HINT_SECONDS for hint in hints)
    return PAUSE_WORTH * ((pause >= LONG_PAUSE) + near)
