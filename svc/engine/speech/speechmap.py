"""Where somebody speaks, as a detector found it."""

from dataclasses import dataclass

import numpy as np

from svc.engine.speech.spans import Span, union

CLEAR = 0.9  # probability above which it is speech, and not music or noise that is like it


@dataclass
class SpeechMap:
    """`probabilities` of speech, one for each `frame` seconds, and the `spans` that count as speech."""

    probabilities: np.ndarray
    frame: float
    spans: list[Span]

    def clear(self) -> list[Span]:
        """Where there is speech for sure; much shorter stretches than the `spans`."""
        frames = np.flatnonzero(self.probabilities >= CLEAR).tolist()
        return union((index * self.frame, (index + 1) * self.frame) for index in frames)
