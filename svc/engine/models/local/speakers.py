"""Who speaks when: voice samples, grouped by speaker, vote on every moment of speech."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from svc.engine.media.audio import Audio
from svc.engine.models.local.clusters import similarity, unit, voices
from svc.engine.models.local.voices import HOP, SIZE, WINDOW, embed, pieces, windows
from svc.engine.speech.spans import Span, within

Part = Callable[[str, Callable[[], Any]], tuple[Any, bool]]

FRAME = 0.1
STRETCH = 600.0  # seconds that are sampled at once
KEPT = "<f2"  # how vectors are kept: their noise is far above this precision

# Shorter samples are labelled, but do not shape the voices; a voice heard for less is nobody of its own.
SHORTEST_SHAPING = 0.8
SHORTEST_SPEAKER = 3.0

# Measured on conversations: two speakers more alike, or samples less like their speaker, go with wrong labels.
TOO_ALIKE = 0.4
TOO_LOOSE = 0.6


@dataclass(frozen=True)
class Turn:
    """One speaker, counted from 0 in order of appearance, from `start` to `end` in seconds."""

    start: float
    end: float
    speaker: int


@dataclass(frozen=True)
class Diarization:
    """The turns in order, apart from each other.

    `alike` is the cosine of the two most similar speakers (-1 when there is one), `fit` the mean cosine of the
    voice samples to their speakers.
    """

    turns: list[Turn] = field(default_factory=list)
    alike: float = -1.0
    fit: float = 1.0

    @property
    def doubtful(self) -> bool:
        return self.alike > TOO_ALIKE or self.fit < TOO_LOOSE

    @classmethod
    def from_part(cls, part: dict[str, Any]) -> "Diarization":
        """The inverse of `dataclasses.asdict`."""
        return cls(**{**part, "turns": [Turn(**turn) for turn in part["turns"]]})


def diarize(
    audio: Audio,
    speech: list[Span],
    expected: int | None = None,
    part: Part = lambda name, make: (make(), False),
    tell: Callable[[float], None] = lambda moment: None,
) -> Diarization:
    """Who speaks in the spans of speech. `expected` is the number of speakers when it is known.

    Each stretch's samples are kept by `part` (`Run.part`), and `tell` is told the moment (seconds) reached. Memory
    hardly grows with the length. Overlapping speech goes to one of its speakers. Raises TOOL_MISSING.
    """
    if not speech:
        return Diarization()
    pieces, vectors = _sampled(audio, speech, part, tell)
    spans = [windows(piece) for piece in pieces]
    lengths = np.array([end - start for piece in spans for start, end in piece])
    shaping = lengths >= min(SHORTEST_SHAPING, lengths.max())
    centres = voices(vectors[shaping], np.minimum(lengths, HOP)[shaping], SHORTEST_SPEAKER, expected)
    scores = vectors @ centres.T
    ends = np.cumsum([len(piece) for piece in spans])[:-1]
    labelled = [
        turn
        for piece, own, votes in zip(pieces, spans, np.split(scores, ends), strict=True)
        for turn in _label(piece, own, votes)
    ]
    return Diarization(
        _by_appearance(labelled), float(similarity(centres).max()), float(scores.max(axis=1)[shaping].mean())
    )


def _sampled(
    audio: Audio, speech: list[Span], part: Part, tell: Callable[[float], None]
) -> tuple[list[Span], np.ndarray]:
    """The pieces with one voice each, and the vectors of all their windows, stretch by stretch."""
    found: list[Span] = []
    vectors = []
    for index, start in enumerate(np.arange(0, audio.seconds, STRETCH).tolist()):
        stretch = start, min(audio.seconds, start + STRETCH)
        own = within(speech, *stretch)
        if own:
            kept, _ = part(f"transcribe/voices/{index:04}", partial(_sample, audio, own, stretch, tell))
            found += [(start, end) for start, end in kept["pieces"]]
            vectors.append(np.frombuffer(base64.b64decode(kept["vectors"]), KEPT).reshape(-1, SIZE))
    return found, unit(np.concatenate(vectors).astype(np.float32))


def _sample(audio: Audio, speech: list[Span], stretch: Span, tell: Callable[[float], None]) -> dict[str, Any]:
    found = pieces(audio, speech, stretch)
    vectors = embed(audio, [window for piece in found for window in windows(piece)], tell)
    return {"pieces": found, "vectors": base64.b64encode(vectors.astype(KEPT).tobytes()).decode()}


def _label(piece: Span, spans: list[Span], scores: np.ndarray) -> list[Turn]:
    """The turns in one piece: at each moment the speaker whom the windows around it are most like."""
    frames = np.arange(piece[0], piece[1], FRAME) + FRAME / 2
    centres = np.array([(start + end) / 2 for start, end in spans])
    reach = np.maximum(0, 1 - np.abs(frames[:, None] - centres) / WINDOW)
    speakers = (reach @ scores).argmax(axis=1)
    turns, start = [], piece[0]
    for speaker, run in groupby(speakers):
        end = start + len(list(run)) * FRAME
        turns.append(Turn(start, min(end, piece[1]), int(speaker)))
        start = end
    return turns


def _by_appearance(turns: list[Turn]) -> list[Turn]:
    """Joins turns that touch, and numbers the speakers as they come."""
    numbers: dict[int, int] = {}
    joined: list[Turn] = []
    for turn in turns:
        number = numbers.setdefault(turn.speaker, len(numbers))
        if joined and joined[-1].speaker == number and turn.start - joined[-1].end < FRAME:
            joined[-1] = Turn(joined[-1].start, turn.end, number)
        else:
            joined.append(Turn(turn.start, turn.end, number))
    return joined
