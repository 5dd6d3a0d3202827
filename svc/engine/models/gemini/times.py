"""The times that a model writes down, and the windows of media it is shown."""

import math
import re
from collections.abc import Iterable

from svc.engine.speech.spans import Span

WINDOW = 900.0  # seconds of media in one question, at most
CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d{1,2}(?:\.\d+)?)")
PLAIN = re.compile(r"(\d+(?:\.\d+)?)\s*s?")


def seconds_of(text: str) -> float | None:
    """The seconds of `MM:SS`, `H:MM:SS` or plain seconds."""
    if found := CLOCK.fullmatch(text.strip()):
        return int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])
    found = PLAIN.fullmatch(text.strip())
    return float(found[1]) if found else None


def spans_in(window: Span, written: Iterable[tuple[str, str]]) -> list[Span | None]:
    """The spans of written starts and ends in the whole media, inside the window; None where a start makes no sense.

    Models count from the window's start, or from the media's: whichever way the times fit better.
    """
    spans = [(seconds_of(start), seconds_of(end)) for start, end in written]
    known = [time for span in spans for time in span if time is not None]
    shift = min((0.0, window[0]), key=lambda shift: misfit([time + shift for time in known], window))
    return [
        placed(start + shift, (start if end is None else end) + shift, window) if start is not None else None
        for start, end in spans
    ]


def misfit(times: list[float], window: Span) -> float:
    """By how much times lie outside a window; none counts more than the window is long."""
    start, end = window
    return sum(min(max(start - time, time - end, 0.0), end - start) for time in times)


def placed(start: float, end: float, window: Span) -> Span:
    first = min(max(start, window[0]), window[1])
    return first, min(max(end, first), window[1])


def windows(seconds: float) -> list[Span]:
    """Media of a known length in windows about as long as each other, cut at whole seconds."""
    count = max(1, math.ceil(seconds / WINDOW))
    length = math.ceil(seconds / count)
    return [(float(start), min(seconds, start + length)) for start in range(0, max(1, math.ceil(seconds)), length or 1)]


def processing(window: Span, fps: float) -> dict[str, str | float]:
    """The API's object for a part of a video."""
    return {"type": "static", "fps": fps, "start_offset": f"{window[0]:g}s", "end_offset": f"{window[1]:.3f}s"}
