"""Which language is spoken, judged at several places of the recording and against what the caller said."""

import logging
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from svc.core.errors import EngineError
from svc.engine.media.audio import Audio
from svc.engine.models.protocol import SpeechToText
from svc.engine.speech.blocks import pack
from svc.engine.speech.spans import Span, total
from svc.engine.speech.trouble import is_away, leaves_a_hole

log = logging.getLogger(__name__)

WINDOW = 30.0  # seconds a model listens to
SECONDS_PER_WINDOW = 150.0  # of speech
MAX_WINDOWS = 12

CLEAR = 0.7  # probability above which a language is clearly spoken
UNLIKELY = 0.1  # probability below which a language is clearly not


class UnknownLanguage(Exception):
    """No window could be judged; another attempt may do better."""


@dataclass
class Spoken:
    """The main language (None: unknown), and the moments (seconds) where clearly another one is spoken."""

    language: str | None
    others: list[float] = field(default_factory=list)

    def to_part(self) -> dict[str, Any]:
        """As it is kept. Raises UnknownLanguage when there is nothing to keep."""
        if self.language is None:
            raise UnknownLanguage
        return asdict(self)

    def within(self, block: Span) -> str | None:
        """The language of a block; None where it changes and has to be judged sentence by sentence."""
        return None if any(block[0] <= moment < block[1] for moment in self.others) else self.language


def listen_for_language(recognizer: SpeechToText, audio: Audio, speech: list[Span], wanted: tuple[str, ...]) -> Spoken:
    """The language spoken, among the `wanted` ones unless clearly none of them is.

    A window that cannot be judged is left out. Raises EngineError when the provider is out of reach from the start,
    or for what concerns every window.
    """
    heard: list[tuple[float, dict[str, float]]] = []
    for start in window_starts(speech):
        part = pack(audio, speech, (start, audio.seconds), WINDOW)
        try:
            heard.append((part.spans[0][0], recognizer.languages(part.samples)))
        except EngineError as error:
            if not leaves_a_hole(error) or (is_away(error) and not heard):
                raise
            log.warning("the language at %.0f s: %s", start, error)
    known = [(at, window) for at, window in heard if any(window.values())]
    language = choose(mean([window for _, window in known]), wanted)
    others = [] if len(wanted) == 1 else [at for at, window in known if clearly_not(window, language)]
    return Spoken(language, others)


def mean(windows: list[dict[str, float]]) -> dict[str, float]:
    """Each language's mean probability. A recogniser may name only the likely ones."""
    codes = {code for window in windows for code in window}
    return {code: fmean(window.get(code, 0.0) for window in windows) for code in sorted(codes)}


def window_starts(speech: list[Span]) -> list[float]:
    """Where to listen: evenly spread over the speech, not over the recording."""
    seconds = total(speech)
    count = min(MAX_WINDOWS, 1 + int(seconds // SECONDS_PER_WINDOW))
    return [moment_of_speech(speech, seconds * index / count) for index in range(count)]


def moment_of_speech(speech: list[Span], seconds: float) -> float:
    """The moment before which so many seconds of speech lie."""
    for start, end in speech:
        if seconds < end - start:
            return start + seconds
        seconds -= end - start
    return speech[-1][0]


def choose(scores: dict[str, float], wanted: tuple[str, ...]) -> str | None:
    """The likeliest language, or of the wanted ones the likeliest unless another is clearly spoken."""
    if not scores:
        return wanted[0] if wanted else None
    spoken = max(scores, key=lambda code: scores[code])
    known = [code for code in wanted if code in scores]
    if not known:
        return spoken
    best = max(known, key=lambda code: scores[code])
    return spoken if scores[spoken] >= CLEAR and scores[best] <= UNLIKELY else best


def clearly_not(window: dict[str, float], language: str | None) -> bool:
    return max(window.values()) >= CLEAR and window.get(language or "", 0.0) <= UNLIKELY
