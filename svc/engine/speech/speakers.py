"""Speakers in a transcript: every word gets the one who speaks then, and segments end where the speaker changes."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Protocol

from svc.engine.speech.text import spell
from svc.engine.transcript import Segment, Word

# Seconds. Less of another speaker within a sentence is a turn's edge a little off, not an interjection.
SHORTEST_INTERJECTION = 0.6


class SpokenTurn(Protocol):
    """One speaker, by number, from `start` to `end` in seconds."""

    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def speaker(self) -> int: ...


def assign_speakers(segments: Sequence[Segment], turns: Sequence[SpokenTurn]) -> list[Segment]:
    """New segments with speakers S1, S2… in order of appearance, split where the speaker changes.

    A word or, without words, a segment belongs to the speaker who talks longest during it, or else nearest to it.
    `turns` are in order and apart from each other; without any the segments stay as they are.
    """
    if not turns:
        return list(segments)
    who = _Timeline(turns)
    labelled = [piece for segment in segments for piece in _by_speaker(segment, who)]
    names: dict[int, str] = {}
    return [_named(segment, names.setdefault(speaker, f"S{len(names) + 1}")) for segment, speaker in labelled]


class _Timeline:
    """Answers who speaks in a stretch of time."""

    def __init__(self, turns: Sequence[SpokenTurn]):
        self._turns = turns
        self._starts = [turn.start for turn in turns]

    def speaker(self, start: float, end: float) -> int:
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_right(self._starts, end)
        near = self._turns[first : last + 1]
        shares: dict[int, float] = {}
        for turn in near:
            shares[turn.speaker] = shares.get(turn.speaker, 0.0) + max(0.0, min(end, turn.end) - max(start, turn.start))
        if any(shares.values()):
            return max(shares, key=lambda speaker: shares[speaker])
        return min(near, key=lambda turn: max(turn.start - end, start - turn.end)).speaker


def _by_speaker(segment: Segment, who: _Timeline) -> list[tuple[Segment, int]]:
    """The segment's parts with one speaker each."""
    if not segment.words:
        return [(segment, who.speaker(segment.start, segment.end))]
    runs = _smoothed([(word, who.speaker(word.start, word.end)) for word in segment.words])
    if len(runs) == 1:
        return [(segment, runs[0][1])]
    return [(Segment(words[0].start, words[-1].end, spell(words), words=words), speaker) for words, speaker in runs]


def _smoothed(labels: list[tuple[Word, int]]) -> list[tuple[list[Word], int]]:
    """Runs of words with one speaker, after each short one has joined the longer of the runs beside it."""
    runs = _runs(labels)
    seconds = [0.0, *(words[-1].end - words[0].start for words, _ in runs), 0.0]
    joined = []
    for index, (words, speaker) in enumerate(runs):
        before, own, after = seconds[index : index + 3]
        if own < SHORTEST_INTERJECTION and own < max(before, after):
            speaker = runs[index - 1 if before >= after else index + 1][1]
        joined += [(word, speaker) for word in words]
    return _runs(joined)


def _runs(labels: list[tuple[Word, int]]) -> list[tuple[list[Word], int]]:
    return [([word for word, _ in run], speaker) for speaker, run in groupby(labels, key=lambda label: label[1])]


def _named(segment: Segment, name: str) -> Segment:
    return replace(segment, speaker=name, words=[replace(word, speaker=name) for word in segment.words])
