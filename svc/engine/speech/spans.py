"""Stretches of time: lists of (start, end) in seconds, in order and apart from each other."""

from collections.abc import Iterable

Span = tuple[float, float]


def union(spans: Iterable[Span], gap: float = 0.0) -> list[Span]:
    """The spans in order, those that overlap or lie at most `gap` apart made one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start - joined[-1][1] <= gap:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def widen(spans: Iterable[Span], by: float) -> list[Span]:
    return union((start - by, end + by) for start, end in spans)


def within(spans: Iterable[Span], start: float, end: float) -> list[Span]:
    """The parts of the spans between `start` and `end`."""
    cut = ((max(start, first), min(end, last)) for first, last in spans)
    return [span for span in cut if span[0] < span[1]]


def without(spans: Iterable[Span], holes: list[Span]) -> list[Span]:
    """What is left of the spans where there is no hole."""
    left: list[Span] = []
    index = 0
    for start, end in spans:
        while index < len(holes) and holes[index][1] <= start:
            index += 1
        after = index
        while after < len(holes) and holes[after][0] < end:
            if start < holes[after][0]:
                left.append((start, holes[after][0]))
            start = holes[after][1]
            after += 1
        if start < end:
            left.append((start, end))
    return left


def total(spans: Iterable[Span]) -> float:
    return sum(end - start for start, end in spans)


def overlap(spans: Iterable[Span], start: float, end: float) -> float:
    """How many seconds of `start` to `end` lie in the spans."""
    return total(within(spans, start, end))
