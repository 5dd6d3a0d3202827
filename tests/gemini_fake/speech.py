"""Recordings that the fake knows, and which it recognises by their samples, wherever they were cut."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from gemini_fake.question import RATE

LEAST_MATCH = 64  # samples that have to be alike to go by
FRAME = RATE // 20
QUIET = 0.05  # share of the loudest that is no speech
WITHOUT_TIMES = 5  # every fifth word comes without
LABELS = ("spk_1", "spk_2")

Word = tuple[str, float, float]


@dataclass
class Recording:
    """int16 samples, mono, 16 kHz, and the words in them with their times in seconds."""

    samples: np.ndarray
    words: list[Word]

    def heard_in(self, sound: np.ndarray) -> list[Word] | None:
        """The words of what was cut out of the recording, on the clock of the cutting; None when it is not from it."""
        pieces = self.pieces(sound)
        if pieces is None:
            return None
        found: list[Word] = []
        for at, begin, length in pieces:
            shift = (at - begin) / RATE
            inside = [w for w in self.words if begin <= (w[1] + w[2]) / 2 * RATE < begin + length]
            found += [(text, max(0.0, start + shift), end + shift) for text, start, end in inside]
        return found

    def pieces(self, sound: np.ndarray) -> list[tuple[int, int, int]] | None:
        """Stretches that are alike, sample for sample: where in the sound, where in here, and how long."""
        here, at, begin = self.samples.tobytes(), 0, 0
        pieces: list[tuple[int, int, int]] = []
        while at < len(sound):
            begin = longest_match(here, self.samples, sound[at:], begin)
            if begin < 0:
                return None
            length = alike(self.samples[begin:], sound[at:])
            pieces.append((at, begin, length))
            at, begin = at + length, begin + length
        return pieces


def longest_match(here: bytes, samples: np.ndarray, sound: np.ndarray, after: int) -> int:
    """Where the sound goes on longest, at or behind `after`; -1 where it is not found. Silence is found often."""
    wanted, best, length = sound[:LEAST_MATCH].tobytes(), -1, 0
    place = here.find(wanted, after * 2)
    for _ in range(100):
        if place < 0:
            break
        if place % 2 == 0 and (more := alike(samples[place // 2 :], sound)) > length:
            best, length = place // 2, more
        place = here.find(wanted, place + 1)
    return best


def alike(left: np.ndarray, right: np.ndarray) -> int:
    """How many samples from the start are the same."""
    length = min(len(left), len(right))
    different = np.flatnonzero(left[:length] != right[:length])
    return int(different[0]) if len(different) else length


def spoken(text: str, samples: np.ndarray) -> list[Word]:
    """The words of a text over the louder half-tenths of a second of a recording, in proportion to their letters."""
    frames = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float64)
    loudness = np.sqrt(np.square(frames).mean(axis=1))
    voiced = np.flatnonzero(loudness > QUIET * loudness.max())
    words = text.split()
    reached = np.cumsum([0, *map(len, words)]) / max(1, sum(map(len, words)))
    places = voiced[np.minimum((reached * len(voiced)).astype(int), len(voiced) - 1)] * FRAME / RATE
    return list(zip(words, places.tolist(), (places[1:] - 0.01).tolist(), strict=False))


def spread(text: str, seconds: float) -> list[Word]:
    """The words of a text, evenly over a recording."""
    words = text.split()
    each = seconds / max(1, len(words))
    return [(word, i * each, (i + 0.9) * each) for i, word in enumerate(words)]


def annotations(words: list[Word], with_times: bool, with_speakers: bool) -> list[dict[str, Any]]:
    """`word_info` notes on the words' text, joined by blanks: byte indexes, bare words, some without times."""
    notes: list[dict[str, Any]] = []
    at = 0
    for number, (text, start, end) in enumerate(words):
        bare = re.search(r"\w(.*\w)?", text, re.DOTALL)
        word, lead = (bare[0], bare.start()) if bare else (text, 0)
        begin = at + len(text[:lead].encode())
        note: dict[str, Any] = {"type": "word_info", "text": word, "start_index": begin}
        note["end_index"] = begin + len(word.encode())
        if with_times and number % WITHOUT_TIMES != WITHOUT_TIMES - 1:
            note |= {"start_offset": f"{start:.3f}s", "end_offset": f"{end:.3f}s"}
        if with_speakers:
            note["speaker"] = LABELS[0]
        notes.append(note)
        at += len(text.encode()) + 1
    return notes
