"""What the stages ask of a model provider, whoever it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from svc.engine.transcript import Word

Effort = Literal["usual", "again", "wide"]


@dataclass
class Passage:
    """A stretch of recognised speech, its times in seconds from the start of the samples it was heard in.

    `logprob` is the mean log probability of the tokens, `no_speech` the model's probability that nobody spoke,
    `compression` the text's length over its compressed length (high when it repeats itself); as Whisper defines them.
    """

    start: float
    end: float
    words: list[Word]
    logprob: float = 0.0
    no_speech: float = 0.0
    compression: float = 1.0


class SpeechToText(Protocol):
    """Speech to text over float32 samples, mono, 16 kHz.

    Languages are short codes (`en`). The same samples always give the same answer.
    """

    name: str

    def languages(self, samples: np.ndarray) -> dict[str, float]:
        """Each language and the probability that the first 30 seconds are spoken in it."""

    def recognize(
        self, samples: np.ndarray, language: str | None, vocabulary: tuple[str, ...] = (), effort: Effort = "usual"
    ) -> Iterator[Passage]:
        """The passages in order, as they are recognised. No `language` means: judge it anew every half minute.

        The other efforts are for short stretches: `again` where the usual way failed, `wide` where it was unsure.
        """
