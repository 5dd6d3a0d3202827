"""Readable subtitle cues from a Context's transcript: short, in one or two lines, never two at once."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

LINE_COLUMNS = 42
MAX_COLUMNS = 2 * LINE_COLUMNS
MAX_SECONDS = 7.0
# So little text stays together however long it takes; its cue then ends early.
SHORT_COLUMNS = 20
# A shorter cue is kept on screen into the pause after it; one that overlaps the next keeps at least the second.
MIN_SECONDS, LEAST_SECONDS = 1.0, 0.3
# How much of its length a cue may be out of balance to end with a sentence or a clause.
SENTENCE_WORTH, CLAUSE_WORTH = 0.25, 0.15
SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]」』]*$")
CLAUSE_END = re.compile(r"[,;:–—，、；：][\"'”’»)\]]*$")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff]")
# Characters of scripts that are written without spaces may part anywhere.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uff00-\uff60"
TOKEN = re.compile(
    rf"[{UNSPACED}][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e、。，！？」』）]*|[^\s{UNSPACED}]{{1,{LINE_COLUMNS}}}"
)


@dataclass
class Token:
    """A word, or a character of a script without spaces. `spaced`: a space stands before it."""

    text: str
    spaced: bool
    start: float
    end: float


@dataclass
class Cue:
    start: float
    end: float
    lines: list[str]
    speaker: str | None = None


def cues(context: dict[str, Any], named: bool = False) -> list[Cue]:
    """The transcript's cues in order. `named`: a new speaker's name stands in the text."""
    transcript = context.get("transcript") or {}
    names, words, found = speaker_names(context), transcript.get("words") or [], []
    before = None
    for segment in sorted(transcript.get("segments") or [], key=lambda segment: segment["start"]):
        tokens, speaker = tokenized(segment, words), segment.get("speaker")
        if not tokens:
            continue
        if named and speaker and speaker != before:
            tokens[0].text = f"{names[speaker]}: {tokens[0].text}"
        before = speaker
        found += [Cue(part[0].start, part[-1].end, wrapped(part), speaker) for part in parts(tokens)]
    return apart(found)


def speaker_names(context: dict[str, Any]) -> dict[str, str]:
    """Each speaker's label, or the id where there is none."""
    transcript = context.get("transcript") or {}
    names = {
        segment["speaker"]: segment["speaker"] for segment in transcript.get("segments", []) if segment.get("speaker")
    }
    labels = {speaker["id"]: tidy(speaker.get("label") or "") for speaker in transcript.get("speakers") or []}
    return {speaker: labels.get(speaker) or speaker for speaker in names}


def tidy(text: str) -> str:
    """The text in one line without control characters."""
    return " ".join(CONTROL.sub("", text).split())


def joined(texts: list[str]) -> str:
    """Texts in a row, with a space between them unless the script has none."""
    result = ""
    for text in texts:
        close = result and re.match(f"[{UNSPACED}]", text) and re.search(f"[{UNSPACED}。、]$", result)
        result += text if close or not result else f" {text}"
    return result


def tokenized(segment: dict[str, Any], words: list[dict[str, Any]]) -> list[Token]:
    text = tidy(segment["text"])
    matches = list(TOKEN.finditer(text))
    letters = list(accumulate((len(match.group()) for match in matches), initial=0))
    time_at = timing(segment, words, letters[-1])
    return [
        Token(match.group(), text[match.start() - 1 : match.start()] == " ", time_at(begin, False), time_at(end, True))
        for match, begin, end in zip(matches, letters, letters[1:], strict=False)
    ]


def timing(segment: dict[str, Any], words: list[dict[str, Any]], total: int) -> Callable[[int, bool], float]:
    """Gives the time at a letter of the segment: from its words where they are known, else in proportion."""
    start, length = segment["start"], max(0.0, segment["end"] - segment["start"])
    spoken = words[slice(*segment["wordRange"])] if segment.get("wordRange") else []
    if not spoken:
        return lambda letter, is_end: start + length * letter / max(1, total)
    starts = list(accumulate((len(tidy(word["text"])) for word in spoken), initial=0))
    scale = starts[-1] / max(1, total)

    def time_at(letter: int, is_end: bool) -> float:
        at = bisect_right(starts, letter * scale - 1e-6 if is_end else letter * scale + 1e-6) - 1
        word = spoken[min(max(at, 0), len(spoken) - 1)]
        return float(word["end"] if is_end else word["start"])

    return time_at


def parts(tokens: list[Token]) -> list[list[Token]]:
    """The tokens as they are when they fit into one cue, else halved at the best place, and again."""
    if len(tokens) == 1 or fits(tokens):
        return [tokens]
    cut = min(range(1, len(tokens)), key=lambda at: imbalance(tokens, at))
    return parts(tokens[:cut]) + parts(tokens[cut:])


def fits(tokens: list[Token]) -> bool:
    width = columns(written(tokens))
    if width <= SHORT_COLUMNS:
        return True
    if width > MAX_COLUMNS or tokens[-1].end - tokens[0].start > MAX_SECONDS:
        return False
    return all(columns(line) <= LINE_COLUMNS for line in wrapped(tokens))


def imbalance(tokens: list[Token], at: int) -> float:
    """How far from the middle a cut before this token is; ends of sentences and clauses make up for some of it."""
    left = tokens[at - 1].text
    worth = SENTENCE_WORTH if SENTENCE_END.search(left) else CLAUSE_WORTH if CLAUSE_END.search(left) else 0.0
    return abs(at / len(tokens) - 0.5) - worth


def wrapped(tokens: list[Token]) -> list[str]:
    """One line when it is short enough, else two of about the same width."""
    text = written(tokens)
    if columns(text) <= LINE_COLUMNS or len(tokens) == 1:
        return [text]
    choices = [[written(tokens[:at]), written(tokens[at:])] for at in range(1, len(tokens))]
    return min(choices, key=lambda lines: max(map(columns, lines)))


def written(tokens: list[Token]) -> str:
    return "".join(f" {token.text}" if token.spaced else token.text for token in tokens).strip()


def columns(text: str) -> int:
    """How wide a text is: a Chinese or Japanese character counts twice, a combining mark not at all."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def apart(found: list[Cue]) -> list[Cue]:
    """Gives every cue a time of its own: overlaps are cut, short cues last into the pause, none lasts too long."""
    floor = 0.0
    limits = [*(cue.start for cue in found), float("inf")][1:]
    for cue, limit in zip(found, limits, strict=True):
        cue.start = round(max(cue.start, floor), 3)
        wanted = max(cue.end, min(cue.start + MIN_SECONDS, limit))
        cue.end = round(max(min(wanted, limit, cue.start + MAX_SECONDS), cue.start + LEAST_SECONDS), 3)
        floor = cue.end
    return found
