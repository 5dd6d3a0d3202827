"""Where somebody speaks, as a detector found it."""

from dataclasses import dataclass

import numpy as np

from svc.engine.speech.spans import Span


@dataclass
class SpeechMap:
    """`probabilities` of speech, one for each `frame` seconds, and the `spans` that count as speech."""

    probabilities: np.ndarray
    frame: float
    spans: list[Span]
