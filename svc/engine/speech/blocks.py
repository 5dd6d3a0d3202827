"""A long recording in pieces: blocks cut where it is quiet, and a block's speech packed without its silences."""

import bisect
from dataclasses import dataclass

import numpy as np

from svc.engine.media.audio import RATE, Audio
from svc.engine.speech.spans import Span, total, union, within
from svc.engine.speech.speechmap import SpeechMap
from svc.engine.transcript import Word

BLOCK_SECONDS = 300.0  # the recogniser's memory grows with what it is given at once
SEARCH_SECONDS = 60.0  # how far before a block's end a quiet moment is looked for
QUIET_SECONDS = 1.0  # a moment is judged by this much around it

# Silences longer than this are left out, but for a margin that keeps soft beginnings and ends of words.
MAX_SILENCE = 2.0
MARGIN = 0.4


def blocks(speech: SpeechMap, seconds: float) -> list[Span]:
    """The recording in consecutive blocks, each boundary at the quietest moment within reach."""
    quiet = np.convolve(speech.probabilities, np.ones(round(QUIET_SECONDS / speech.frame)), "same")
    cuts = [0.0]
    while seconds - cuts[-1] > BLOCK_SECONDS:
        last = round((cuts[-1] + BLOCK_SECONDS) / speech.frame)
        first = last - round(SEARCH_SECONDS / speech.frame)
        cuts.append((first + int(np.argmin(quiet[first:last])) + 0.5) * speech.frame)
    return list(zip(cuts, [*cuts[1:], seconds], strict=True))


@dataclass
class Packed:
    """Speech with its long silences taken out: the samples, and where each kept span begins in them."""

    samples: np.ndarray
    spans: list[Span]
    offsets: list[float]

    def restore(self, words: list[Word]) -> float:
        """Moves the times of a passage's words from the packed samples to the recording; each word within one span.

        Answers with the latest time there was before words were kept within their spans.
        """
        places = [self.place(words, index) for index in range(len(words))]
        latest = 0.0
        for word, at in zip(words, places, strict=True):
            start, end = self.spans[at]
            shift = start - self.offsets[at]
            latest = max(latest, word.end + shift)
            word.start = min(max(word.start + shift, start), end)
            word.end = min(max(word.end + shift, word.start), end)
        return latest

    def place(self, words: list[Word], index: int) -> int:
        """The span a word was said in. One that reaches over a silence stays with the rest of its passage."""
        first, last = self.span_at(words[index].start), self.span_at(words[index].end)
        if first != last and len(words) > 1 and index in (0, len(words) - 1):
            return self.span_at(words[1].start if index == 0 else words[-2].end)
        return self.span_at((words[index].start + words[index].end) / 2)

    def span_at(self, time: float) -> int:
        return max(0, bisect.bisect(self.offsets, time) - 1)


def pack(audio: Audio, speech: list[Span], block: Span, longest: float | None = None) -> Packed:
    """The speech of one block, or its first `longest` seconds, ready to be recognised."""
    inside = union(within(speech, *block), MAX_SILENCE)
    spans = first_seconds(within(((start - MARGIN, end + MARGIN) for start, end in inside), *block), longest)
    pieces = [audio.read(*span) for span in spans]
    offsets = np.cumsum([0, *(len(piece) for piece in pieces)])[:-1] / RATE
    return Packed(np.concatenate(pieces) if pieces else np.zeros(0, np.float32), spans, offsets.tolist())


def first_seconds(spans: list[Span], longest: float | None) -> list[Span]:
    if longest is None:
        return spans
    kept: list[Span] = []
    for start, end in spans:
        room = longest - total(kept)
        if room > 0:
            kept.append((start, min(end, start + room)))
    return kept
