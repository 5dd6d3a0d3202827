"""Words with their times and punctuation, from whatever a transcription tells: words, segments, or text alone.

OpenAI's words come without punctuation, which the segments' text has; whisper.cpp's come in pieces; other servers give
no words at all. So the text is the truth, and times are what the words that stand in it say.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

from svc.engine.speech.text import spaceless
from svc.engine.transcript import Word

REACH = 60  # characters of text without times that a word is looked for behind


@dataclass
class Stretch:
    """A segment of text and its time in seconds; `part` is what the server tells about it."""

    start: float
    end: float
    text: str
    part: dict[str, Any]


@dataclass(frozen=True)
class Stamp:
    """When a word was said, in seconds, and how sure the server is of it."""

    text: str
    start: float
    end: float
    confidence: float | None


def stretches(answer: dict[str, Any], seconds: float) -> list[Stretch]:
    """The segments with text, in order and inside the sound; the whole text is one where there are none.

    Without a text at all, the words are one.
    """
    found: list[Stretch] = []
    for part in objects(answer.get("segments")):
        text, start, end = str(part.get("text") or "").strip(), number(part.get("start")), number(part.get("end"))
        if not text or start is None or end is None:
            continue
        start = min(max(start, found[-1].start if found else 0.0), seconds)
        found.append(Stretch(start, min(max(end, start), seconds), text, part))
    text = str(answer.get("text") or "").strip() or " ".join(stamp.text for stamp in stamps(answer, seconds))
    return found or ([Stretch(0.0, seconds, text, {})] if text else [])


def stamps(answer: dict[str, Any], seconds: float) -> list[Stamp]:
    """The words with times, their order and their ends mended; those inside the segments where there are no others."""
    listed = objects(answer.get("words"))
    if not listed:
        listed = [word for segment in objects(answer.get("segments")) for word in objects(segment.get("words"))]
    found, latest = [], 0.0
    for word in listed:
        text, start, end = str(word.get("word") or "").strip(), number(word.get("start")), number(word.get("end"))
        if start is None or end is None or not any(char.isalnum() for char in text):
            continue
        latest = min(max(start, latest), seconds)
        found.append(Stamp(text, latest, min(max(end, latest), seconds), number(word.get("probability"))))
    return found


def put_together(parts: list[Stretch], stamped: list[Stamp]) -> list[list[Word]]:
    """The words of each segment. Where no stamp stands in the text their times are interpolated."""
    if not parts:
        return []
    text = "\n".join(part.text for part in parts)
    placed = list(places(text, stamped))
    found, begin = [], 0
    for part in parts:
        end = begin + len(part.text)
        inside = [(at, stamp) for at, stamp in placed if begin <= at < end]
        found.append(timed(part, tokens(text, begin, end, inside)))
        begin = end + 1
    keep_order(word for words in found for word in words)
    return found


def keep_order(words: Iterable[Word]) -> None:
    latest = 0.0
    for word in words:
        word.start = latest = max(word.start, latest)
        word.end = max(word.end, word.start)


def places(text: str, stamped: list[Stamp]) -> Iterator[tuple[int, Stamp]]:
    """Where in the text each stamp's word begins; those that are not found there are left out."""
    at = 0
    for stamp in stamped:
        word = re.escape(stamp.text)
        edge = "" if spaceless(stamp.text[0]) else r"(?<!\w)"
        further = re.compile(edge + word, re.IGNORECASE)
        match = re.compile(word, re.IGNORECASE).match(text, at)
        if match := match or further.search(text, at, at + REACH + len(stamp.text)):
            yield match.start(), stamp
            at = match.end()


Token = tuple[str, list[Stamp]]
"""A piece of text that is shown as one word, and the stamps that stand in it."""


def tokens(text: str, begin: int, end: int, placed: list[tuple[int, Stamp]]) -> list[Token]:
    """The text in words: cut at spaces, and in scripts without spaces where a stamp begins, or else every character."""
    starts = {at for at, _ in placed}
    found: list[Token] = []
    for match in re.compile(r"\S+").finditer(text, begin, end):
        cuts = [match.start()]
        for at in range(match.start() + 1, match.end()):
            if spaceless(text[at]) and text[at].isalnum() and (at in starts or not placed):
                cuts.append(at)
        for first, last in zip(cuts, [*cuts[1:], match.end()], strict=True):
            piece = text[first:last]
            if not any(char.isalnum() for char in piece) and found:
                found[-1] = (found[-1][0] + " " + piece, found[-1][1])
            else:
                found.append((piece, [stamp for at, stamp in placed if first <= at < last]))
    return found


def timed(part: Stretch, pieces: list[Token]) -> list[Word]:
    """The words of a segment; runs of them without stamps share the time between their neighbours."""
    words: list[Word] = []
    waiting: list[str] = []
    for text, inside in pieces:
        if not inside:
            waiting.append(text)
            continue
        sure = [stamp.confidence for stamp in inside if stamp.confidence is not None]
        word = Word(text, inside[0].start, inside[-1].end, confidence=min(sure) if sure else None)
        words += [*spread(waiting, words[-1].end if words else min(part.start, word.start), word.start), word]
        waiting = []
    begin = words[-1].end if words else part.start
    return words + list(spread(waiting, begin, max(begin, part.end)))


def spread(pieces: list[str], start: float, end: float) -> Iterator[Word]:
    """Words over a stretch of time, in proportion to their letters."""
    letters = sum(map(len, pieces))
    for text in pieces:
        after = start + (end - start) * len(text) / letters
        yield Word(text, start, after, synthetic=True)
        start, letters = after, letters - len(text)


def objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def number(value: Any) -> float | None:
    """A number, also one that came as text."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if isfinite(found) else None
