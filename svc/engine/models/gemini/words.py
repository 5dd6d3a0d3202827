"""A transcriber's text and the notes on its words, as words with times.

The notes name bare words, their place in the text and mostly their times. Some times are missing, and where a model
lost its way they are out of order.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from svc.engine.models.gemini.answer import Block
from svc.engine.speech.spans import Span
from svc.engine.speech.text import spread, tokens
from svc.engine.transcript import Word

OFFSET = re.compile(r"(\d+(?:\.\d+)?)s")
GAP = re.compile(r"(.*?)(?:\s+(\S*))?", re.DOTALL)
SLACK = 1.0  # seconds past the end that a time may lie
SECONDS_PER_LETTER = 0.1  # at most, where a word's time has to be guessed


def words_of(block: Block, seconds: float) -> list[Word]:
    """The words in so many seconds of sound; times that had to be guessed are marked `synthetic`."""
    notes = [note for note in block.annotations if note.get("type") == "word_info" and note.get("text")]
    if not notes:
        return spread(tokens(block.text), 0.0, seconds)
    return timed(shown(block.text, notes), in_order([span_of(note, seconds) for note in notes]), seconds)


def shown(text: str, notes: list[dict[str, Any]]) -> list[str]:
    """Each word with the punctuation that stands at it in the text; bare where the places do not fit the text."""
    letters = text.encode()
    places = [(note.get("start_index") or 0, note.get("end_index") or 0) for note in notes]
    bare = [str(note["text"]) for note in notes]
    if [letters[start:end].decode("utf-8", "replace") for start, end in places] != bare:
        return bare
    ends, starts = [0, *(end for _, end in places)], [*(start for start, _ in places), len(letters)]
    gaps = [letters[end:start].decode("utf-8", "replace") for end, start in zip(ends, starts, strict=True)]
    between = [parted(gap) for gap in [f" {gaps[0]}", *gaps[1:]]]
    return [f"{between[at][1]}{word}{between[at + 1][0]}" for at, word in enumerate(bare)]


def parted(gap: str) -> tuple[str, str]:
    """What stands between two words: what belongs to the first one, and what to the second."""
    found = GAP.fullmatch(gap)
    return (found[1], found[2] or "") if found else (gap, "")


def span_of(note: dict[str, Any], seconds: float) -> Span | None:
    start, end = (OFFSET.fullmatch(str(note.get(name))) for name in ("start_offset", "end_offset"))
    if not start or not end or float(start[1]) > seconds + SLACK:
        return None
    begin = min(float(start[1]), seconds)
    return begin, min(max(begin, float(end[1])), seconds)


def in_order(spans: list[Span | None]) -> list[Span | None]:
    """The spans with those left out that break the order: the longest run of rising starts is believed."""
    best: list[tuple[float, int]] = []  # the lowest last start of a run of each length, and its index
    before: dict[int, int] = {}
    for index, span in enumerate(spans):
        if span is None:
            continue
        length = bisect_right(best, (span[0], index))
        if length:
            before[index] = best[length - 1][1]
        best[length : length + 1] = [(span[0], index)]
    kept: set[int] = set()
    at = best[-1][1] if best else None
    while at is not None:
        kept.add(at)
        at = before.get(at)
    return [span if index in kept else None for index, span in enumerate(spans)]


def timed(texts: list[str], spans: list[Span | None], seconds: float) -> list[Word]:
    """The words at their times; those without are put between their neighbours."""
    words: list[Word] = []
    pairs = list(zip(texts, spans, strict=True))
    for known, group in groupby(enumerate(pairs), key=lambda item: item[1][1] is not None):
        run = list(group)
        if known:
            words += [Word(text, *span) for _, (text, span) in run if span]
        else:
            after = spans[run[-1][0] + 1] if run[-1][0] + 1 < len(spans) else None
            words += guessed([text for _, (text, _) in run], words, after[0] if after else None, seconds)
    return words


def guessed(texts: list[str], before: list[Word], after: float | None, seconds: float) -> Iterator[Word]:
    """Words close behind the ones before them; at the very beginning, close before the next."""
    length, limit = SECONDS_PER_LETTER * sum(map(len, texts)), seconds if after is None else after
    begin = min(before[-1].end, limit) if before else max(0.0, (after or 0.0) - length)
    yield from spread(texts, begin, min(begin + length, limit))
