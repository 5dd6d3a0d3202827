"""Decoded sound: one channel of 16 kHz 16-bit samples in a file, read a stretch at a time."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

RATE = 16_000


@dataclass(frozen=True)
class Audio:
    """A raw file of `samples` little-endian int16 values, mono, 16 kHz.

    `lost`: the stretches, in seconds, that could not be read; they are silent, or lie past the end.
    """

    path: Path
    samples: int
    lost: tuple[tuple[float, float], ...] = ()

    @property
    def seconds(self) -> float:
        return self.samples / RATE

    def pcm(self, start: float = 0, end: float | None = None) -> np.ndarray:
        """The int16 samples from `start` to `end` seconds, clipped to the recording."""
        first = min(self.samples, max(0, round(start * RATE)))
        last = self.samples if end is None else min(self.samples, max(first, round(end * RATE)))
        with self.path.open("rb") as file:
            file.seek(first * 2)
            return np.fromfile(file, dtype="<i2", count=last - first)

    def read(self, start: float = 0, end: float | None = None) -> np.ndarray:
        """The same stretch as float32 in -1..1."""
        return self.pcm(start, end).astype(np.float32) / 32768
