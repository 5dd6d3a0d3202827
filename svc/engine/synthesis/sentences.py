"""Sentences of a transcript: joined over its segments, parted at full stops, or at pauses where there are none."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from svc.engine.synthesis.language import UNSPACED_SENTENCES, Language
from svc.engine.transcript import Segment

STOP = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？｡．]+[」』”’）)]*|[।॥۔؟።]+(?=\s|$)")
# Not speech: [Music], (applause), notes, and the >> of a speaker change.
SOUND = re.compile(
    r"\[[^\]]{0,40}\]|\((?:[A-Z][A-Z ]+|applause|laughter|music|cheering|inaudible)\)|[♪♫]+|^\s*(?:>>+|-(?=\s|\w))|>>+",
    re.I,
)
# Words of a piece, where a text has no full stop for more than MAX_WORDS.
MAX_WORDS, MIN_PIECE, GOOD_PIECE, MAX_PIECE = 45, 8, 16, 26
# The wholeness of the last sentence without a full stop, and of a piece between two strong cuts.
UNENDED, STRONG_CUT = 0.6, 3.0
# The wholeness of the rest of a sentence that another speaker, or a cut, broke off.
CONTINUED = 0.3
# Languages that write "the 3rd of May" as "3. Mai".
ORDINAL_POINT = {"de", "da", "no", "fi", "cs", "hu", "et", "sk", "sl", "hr"}
CLAUSE_PIECE = re.compile(r"[^\s，、,；：]{1,24}[，、,；：]*")


@dataclass
class Sentence:
    """`text` is as said, `index` its place in the transcript, `segment` and `last` the segments it begins and ends in.

    `wholeness` is 1 for a sentence that ends with a full stop or the like, less for a piece of unpunctuated speech.
    `length` is in words, `terms` counts stems of content words.
    """

    text: str
    index: int
    segment: int
    last: int
    start: float
    end: float
    speaker: str | None
    wholeness: float
    length: int
    terms: Counter[str]


@dataclass
class Turn:
    """What one speaker says in one go: the joined text, and where in it each segment begins."""

    speaker: str | None
    text: str
    offsets: list[int]
    segments: list[int]

    def segment_at(self, offset: int) -> int:
        return self.segments[max(0, bisect_right(self.offsets, offset) - 1)]


def sentences(segments: list[Segment], language: Language) -> list[Sentence]:
    found: list[Sentence] = []
    for turn in turns(segments, language):
        for start, end, wholeness in spans(turn, segments, language):
            text = turn.text[start:end].strip()
            if not any(letter.isalnum() for letter in text):
                continue
            if text[0].islower() and found and found[-1].wholeness < 1:
                wholeness = min(wholeness, CONTINUED)
            first, last = turn.segment_at(start), turn.segment_at(end - 1)
            found.append(
                Sentence(
                    text=text,
                    index=len(found),
                    segment=first,
                    last=last,
                    start=segments[first].start,
                    end=segments[last].end,
                    speaker=turn.speaker,
                    wholeness=wholeness,
                    length=language.length(text),
                    terms=language.terms(text),
                )
            )
    return found


def turns(segments: list[Segment], language: Language) -> Iterator[Turn]:
    glue = language.joined(["", ""])
    for speaker, group in groupby(enumerate(segments), key=lambda item: item[1].speaker):
        parts: list[str] = []
        turn, length = Turn(speaker, "", [], []), 0
        for index, segment in group:
            said = " ".join(SOUND.sub(" ", segment.text).split())
            if said:
                joint = "" if not parts else glue if not (said[0].isascii() and parts[-1][-1].isascii()) else " "
                turn.offsets.append(length + len(joint))
                turn.segments.append(index)
                parts += [joint, said]
                length += len(joint) + len(said)
        turn.text = "".join(parts)
        if turn.text:
            yield turn


def spans(turn: Turn, segments: list[Segment], language: Language) -> Iterator[tuple[int, int, float]]:
    """Start, end and wholeness of every sentence in the turn's text; one that goes on for too long comes in pieces."""
    start = 0
    for end, wholeness in [*((end, 1.0) for end in stops(turn.text, language)), (len(turn.text), UNENDED)]:
        while start < end and turn.text[start].isspace():
            start += 1
        if start >= end:
            continue
        if language.length(turn.text[start:end]) <= MAX_WORDS:
            yield start, end, wholeness
        else:
            yield from pieces(turn, start, end, segments, language)
        start = end


def stops(text: str, language: Language) -> Iterator[int]:
    for match in STOP.finditer(text):
        if match.group()[0] == "." and not ends_sentence(text, match, language):
            continue
        yield match.end()


def ends_sentence(text: str, match: re.Match[str], language: Language) -> bool:
    """Whether a full stop is one: not after an abbreviation, an initial, a German ordinal, or before a small letter."""
    before = text[max(0, match.start() - 12) : match.start()].split()
    word = before[-1].lower().lstrip("(\"'“") if before else ""
    after = text[match.end() : match.end() + 2].strip()
    if after and after[0].islower():
        return False
    if not after:
        return True
    ordinal = language.code in ORDINAL_POINT and word.isdigit() and len(word) <= 2
    initial = len(word) == 1 and word.isalpha() and word != "i"
    return not (ordinal or initial or word in language.phrases.abbreviations)


@dataclass
class Token:
    start: int
    end: int
    text: str
    weight: int
    segment: int


def pieces(
    turn: Turn, start: int, end: int, segments: list[Segment], language: Language
) -> Iterator[tuple[int, int, float]]:
    """Parts a long stretch where speech most likely does: at pauses, clause marks, line ends, before a new clause."""
    tokens = tokenize(turn, start, end, language)
    scores = [cut_score(tokens, at, segments, language) for at in range(len(tokens))]
    scores.append(STRONG_CUT)
    first = 0
    while first < len(tokens):
        cut = best_cut(tokens, scores, first)
        weaker = min(STRONG_CUT, scores[first], scores[cut])
        yield tokens[first].start, tokens[cut - 1].end, UNENDED * 2 ** (weaker - STRONG_CUT)
        first = cut


def tokenize(turn: Turn, start: int, end: int, language: Language) -> list[Token]:
    shape = CLAUSE_PIECE if language.code in UNSPACED_SENTENCES else re.compile(r"\S+")
    return [
        Token(m.start(), m.end(), m.group(), max(1, language.length(m.group())), turn.segment_at(m.start()))
        for m in shape.finditer(turn.text, start, end)
    ]


def best_cut(tokens: list[Token], scores: list[float], first: int) -> int:
    """The index of the token that begins the next piece."""
    left = sum(token.weight for token in tokens[first : first + 2 * MAX_PIECE])
    length, best, cut = 0, float("-inf"), len(tokens)
    if left <= MAX_PIECE:
        return cut
    for at in range(first, len(tokens)):
        if length > MAX_PIECE:
            break
        score = scores[at] - abs(length - GOOD_PIECE) / GOOD_PIECE
        if length >= MIN_PIECE and left - length >= MIN_PIECE and score > best:
            best, cut = score, at
        length += tokens[at].weight
    return cut


def cut_score(tokens: list[Token], at: int, segments: list[Segment], language: Language) -> float:
    """How likely a new clause begins with this token."""
    if at == 0:
        return STRONG_CUT
    left, right = tokens[at - 1], tokens[at]
    score = opening_score(tokens, at, language)
    if left.segment != right.segment:
        pause = segments[right.segment].start - segments[left.segment].end
        score += 0.5 + 3 * min(2.0, max(0.0, pause))
    if left.text[-1] in ";；:：—–" or left.text.endswith("--"):
        score += 4
    elif left.text[-1] in ",，、":
        score += 1.5
    if left.text.lower() in language.stop_words:
        score -= 2.5
    return score


def opening_score(tokens: list[Token], at: int, language: Language) -> float:
    """A clause word counts when a subject follows it: "and we" begins a clause, "chairs and tables" does not."""
    word = tokens[at].text.lower()
    following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    if word in language.phrases.clauses:
        return 2.5 if following in language.phrases.subjects | language.phrases.clauses else 0.0
    if word in language.phrases.subjects:
        return 1.0
    return -2.0 if word in language.stop_words else 0.0
