"""Words made to sentences: by punctuation, and where a language or speaker has none, by pauses and length."""

import re

from svc.engine.speech.text import spell
from svc.engine.transcript import Segment, Word

MAX_SECONDS = 30.0
LONG_PAUSE = 2.0  # seconds of silence that end a sentence without punctuation

END = re.compile(r"[.!?…。！？｡।؟۔։።]+[\"'”’»)\]」』）]*$")
COMMA = re.compile(r"[,;:、，；：،—–-]$")
# A full stop after these does not end a sentence: titles, initials and dotted letters.
ABBREVIATION = re.compile(
    r"^[\"'“‘(\[]*(mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|no|fig|approx|gen|col|sen|rep|gov|hr|fr|nr|bzw|z\.b|sra?|dra?|mme|\w|(\w\.)+\w)\.$",
    re.IGNORECASE,
)
COMMA_WORTH = 0.5  # a comma is as good a place to break as this much more of a pause, in seconds


def sentences(words: list[Word]) -> list[Segment]:
    """Segments in order that together hold all the words; none is much longer than `MAX_SECONDS`."""
    segments: list[Segment] = []
    begin = 0
    for index in range(1, len(words) + 1):
        if index == len(words) or ends_between(words[index - 1], words[index]):
            segments += [segment_of(piece) for piece in short_enough(words[begin:index])]
            begin = index
    return segments


def ends_between(word: Word, following: Word) -> bool:
    if following.start - word.end >= LONG_PAUSE:
        return True
    if not END.search(word.text) or (word.text.endswith(".") and following.text[:1].islower()):
        return False
    return not ABBREVIATION.match(word.text)


def short_enough(words: list[Word]) -> list[list[Word]]:
    """Cuts at the best pause until every piece is short; the nearer the middle, the better."""
    if len(words) < 2 or words[-1].end - words[0].start <= MAX_SECONDS:
        return [words]
    middle = (words[0].start + words[-1].end) / 2
    half = middle - words[0].start

    def worth(index: int) -> float:
        left, right = words[index - 1], words[index]
        comma = COMMA_WORTH if COMMA.search(left.text) else 0.0
        return (right.start - left.end + comma + 0.1) * (1 - abs(right.start - middle) / half)

    cut = max(range(1, len(words)), key=worth)
    return short_enough(words[:cut]) + short_enough(words[cut:])


def segment_of(words: list[Word]) -> Segment:
    return Segment(words[0].start, words[-1].end, spell(words), words=words)
