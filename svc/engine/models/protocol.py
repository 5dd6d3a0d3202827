"""What the stages ask of a model provider, whoever it is.

A provider is a package of this folder whose `__init__` has the four functions of `Provider`. What a call costs it
reports with `run.spend`; its failures are EngineErrors (`upstream.py` makes them).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from svc.engine.request import Config
from svc.engine.run import Run
from svc.engine.seen import Seen
from svc.engine.transcript import Transcript, Word

if TYPE_CHECKING:
    import numpy as np

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

    def languages(self, samples: "np.ndarray") -> dict[str, float]:
        """Each language and the probability that the first 30 seconds are spoken in it."""

    def recognize(
        self, samples: "np.ndarray", language: str | None, vocabulary: tuple[str, ...] = (), effort: Effort = "usual"
    ) -> Iterator[Passage]:
        """The passages in order, as they are recognised. No `language` means: judge it anew every half minute.

        The other efforts are for short stretches: `again` where the usual way failed, `wide` where it was unsure.
        """


@dataclass(frozen=True)
class Image:
    """A still picture sent along with a question: the bytes of a JPEG file."""

    jpeg: bytes


@dataclass(frozen=True)
class Sound:
    """A stretch of sound sent along with a question: float32 samples, mono, 16 kHz."""

    samples: "np.ndarray"


Part = str | Image | Sound


class LanguageModel(Protocol):
    """Text, pictures and sound in, checked JSON out. `reads` is how many characters of text fit into one question."""

    name: str
    reads: int

    def complete(
        self, instructions: str, parts: Sequence[Part], schema: dict[str, Any], most_tokens: int
    ) -> dict[str, Any]:
        """The answer, valid against `schema` (an object with all properties required, nothing additional).

        Raises EngineError: PROVIDER_PROTOCOL when the answer stays invalid after a repair, INCOMPLETE_OUTPUT when it
        was cut off, INPUT_UNSUPPORTED for a kind of part that the model does not take, else what went wrong upstream.
        """

    def cost(self, characters: int) -> float:
        """About what a question of that many characters costs, in US dollars; 0 where no price is known."""


class Watcher(Protocol):
    """Notes on the picture of a media file."""

    def watch(self, path: Path, fps: float | None, max_scenes: int | None) -> Seen:
        """At the given frame rate (frames per second) and number of scenes, or the provider's own defaults."""


class LinkReader(Protocol):
    """A model that opens a public link by itself, where this machine cannot fetch it."""

    def reads(self, url: str) -> bool:
        """Whether the model takes this kind of link."""

    def transcribe(self, url: str, languages: tuple[str, ...]) -> Transcript:
        """What is said, with origin `llm-url` and approximate times, without speakers."""

    def watch(self, url: str, fps: float | None, max_scenes: int | None) -> Seen:
        """What is on screen."""


class Provider(Protocol):
    """The package of a provider. None: it has no such model, and the service does without."""

    def speech_to_text(self, run: Run) -> SpeechToText: ...

    def watcher(self, run: Run) -> Watcher: ...

    def language_model(self, run: Run) -> LanguageModel | None: ...

    def link_reader(self, run: Run) -> LinkReader | None: ...

    def forget_uploads(self, config: Config) -> None:
        """Deletes what an ended run of the work folder left at the provider, as far as it can be reached.

        Never raises.
        """
