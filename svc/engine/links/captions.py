"""Caption files read into segments: WebVTT, SubRip, YouTube's json3 and TTML, tolerant of what sites really send."""

import html
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

from svc.engine.links.ttml import read_ttml
from svc.engine.transcript import Segment

# Automatic captions repeat the lines still on screen; cues this close together show one rolling text.
ROLLING_GAP_SECONDS = 0.05
MOST_ROLLING_LINES = 8
# A line without an end of its own stays until the next one, but not longer than this.
LONGEST_OPEN_LINE_SECONDS = 5.0
CLOCK = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
TIMING = re.compile(rf"^\s*{CLOCK}\s*-->\s*{CLOCK}")
VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s([^<>]+)>")
TAG = re.compile(r"</?[a-zA-Z0-9][^<>]*>|\{\\[^{}]*\}")
UNPUNCTUATED_CHARACTERS = 250
# What a reader raises for a file that is not what its name says.
UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, ET.ParseError)
SENTENCE_ENDS = re.compile(r"[.?!…。？！।؟]")


@dataclass(frozen=True)
class Cue:
    """Lines shown together, each with the name of its voice when the file gives one. Times are seconds."""

    start: float
    end: float
    lines: tuple[tuple[str | None, str], ...]


def parse_captions(text: str, ext: str = "vtt") -> tuple[list[Segment], dict[str, str]]:
    """A caption file's segments in order of time, and the names of its speakers by id (`S1`: name).

    `ext` is the file's extension; an unknown one is told from the text. Unreadable text gives no segments.
    """
    try:
        cues = sorted(reader(text, ext)(text), key=lambda cue: (cue.start, cue.end))
    except UNREADABLE:
        return [], {}
    return segments_of(unroll([cue for cue in cues if cue.lines]))


def decode_captions(data: bytes) -> str:
    """The text of a caption file: UTF-8, UTF-16 with a byte order mark, else the old Western encoding."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def is_unpunctuated(text: str) -> bool:
    """Whether there is less than one end of a sentence in a long sentence's worth of text."""
    return len(SENTENCE_ENDS.findall(text)) * UNPUNCTUATED_CHARACTERS < len(text)


def reader(text: str, ext: str) -> Callable[[str], Iterator[Cue]]:
    known = {"json3": json3_cues, "ttml": ttml_cues, "dfxp": ttml_cues, "xml": ttml_cues}
    if ext in known or ext in ("vtt", "srt"):
        return known.get(ext, timed_cues)
    return {"{": json3_cues, "<": ttml_cues}.get(text.lstrip("\ufeff \r\n\t")[:1], timed_cues)


def timed_cues(text: str) -> Iterator[Cue]:
    """WebVTT and SubRip: a timing line, then lines up to a blank one. Ids, notes and styles are skipped."""
    rows = iter(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    for row in rows:
        if not (match := TIMING.match(row)):
            continue
        start, end = clock_seconds(match.groups()[:4]), clock_seconds(match.groups()[4:])
        yield Cue(start, end, tuple(voiced_lines(until_blank(rows))))


def until_blank(rows: Iterator[str]) -> Iterator[str]:
    for row in rows:
        if not row:
            return
        yield row


def clock_seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = parts
    assert minutes and seconds and fraction
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + int(fraction.ljust(3, "0")) / 1000


def voiced_lines(rows: Iterator[str]) -> Iterator[tuple[str | None, str]]:
    """Voice and plain text of each line; a voice span (`<v Ann>`) lasts until the next one or the cue's end."""
    voice = None
    for row in rows:
        before, *spans = VOICE.split(row)
        if plain(before):
            yield voice, plain(before)
        for name, words in zip(spans[::2], spans[1::2], strict=True):
            voice = plain(name) or voice
            if plain(words):
                yield voice, plain(words)


def plain(text: str) -> str:
    """Text without tags and entities, blanks collapsed."""
    return " ".join(html.unescape(TAG.sub("", text)).replace("\u200b", "").split())


def json3_cues(text: str) -> Iterator[Cue]:
    """YouTube's timed text events; those that only append a line break to what is shown are skipped."""
    events = [e for e in json.loads(text)["events"] if e.get("segs") and not e.get("aAppend")]
    starts = [e["tStartMs"] / 1000 for e in events]
    for event, start, following in zip(events, starts, [*starts[1:], float("inf")], strict=True):
        words = "".join(part.get("utf8", "") for part in event["segs"])
        end = start + event.get("dDurationMs", 0) / 1000
        yield Cue(start, min(end, max(start, following)), unvoiced_lines(words.split("\n")))


def ttml_cues(text: str) -> Iterator[Cue]:
    for start, end, rows in read_ttml(text):
        yield Cue(start, end, unvoiced_lines(rows))


def unvoiced_lines(rows: list[str]) -> tuple[tuple[None, str], ...]:
    return tuple((None, line) for row in rows if (line := " ".join(row.split())))


def unroll(cues: list[Cue]) -> list[Cue]:
    """Takes out lines that the cue before already showed and that only stayed on screen; ends are clipped."""
    kept: list[Cue] = []
    shown: tuple[tuple[str | None, str], ...] = ()
    shown_until = float("-inf")
    for cue in cues:
        rolling = cue.start <= shown_until + ROLLING_GAP_SECONDS
        fresh = cue.lines[overlap(shown, cue.lines) :] if rolling else cue.lines
        shown, shown_until = cue.lines, max(shown_until, cue.end)
        if fresh:
            if kept and len(fresh) < len(cue.lines):
                kept[-1] = replace(kept[-1], end=min(kept[-1].end, cue.start))
            kept.append(replace(cue, lines=fresh))
        elif kept:
            kept[-1] = replace(kept[-1], end=max(kept[-1].end, cue.end))
    return kept


def overlap(shown: tuple, lines: tuple) -> int:
    """How many of the first lines are the last ones already shown."""
    sizes = range(min(len(shown), len(lines), MOST_ROLLING_LINES), 0, -1)
    return next((size for size in sizes if shown[-size:] == lines[:size]), 0)


def segments_of(cues: list[Cue]) -> tuple[list[Segment], dict[str, str]]:
    """One segment for each cue and voice, and the voices' names by speaker id."""
    ids: dict[str, str] = {}
    segments = []
    for number, cue in enumerate(cues):
        following = cues[number + 1].start if number + 1 < len(cues) else cue.start + LONGEST_OPEN_LINE_SECONDS
        is_open = cue.end <= cue.start
        end = min(following, cue.start + LONGEST_OPEN_LINE_SECONDS) if is_open else cue.end
        for voice, words in by_voice(cue):
            speaker = ids.setdefault(voice, f"S{len(ids) + 1}") if voice else None
            segments.append(Segment(cue.start, max(cue.start, end), words, speaker, open=is_open))
    return segments, {speaker: name for name, speaker in ids.items()}


def by_voice(cue: Cue) -> Iterator[tuple[str | None, str]]:
    """A cue's text, one piece for each stretch of lines of one voice."""
    for voice, lines in groupby(cue.lines, key=itemgetter(0)):
        yield voice, " ".join(text for _, text in lines)
