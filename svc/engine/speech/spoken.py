"""Which language is spoken, judged at several places of the recording and against what the caller said."""

from dataclasses import dataclass, field

from svc.engine.media.audio import Audio
from svc.engine.models.protocol import SpeechToText
from svc.engine.speech.blocks import pack
from svc.engine.speech.spans import Span, total

WINDOW = 30.0  # seconds a model listens to
SECONDS_PER_WINDOW = 150.0  # of speech
MAX_WINDOWS = 12

CLEAR = 0.7  # probability above which a language is clearly spoken
UNLIKELY = 0.1  # probability below which a language is clearly not


@dataclass
class Spoken:
    """The main language, and the moments (seconds) where clearly another one is spoken."""

    language: str
    others: list[float] = field(default_factory=list)

    def within(self, block: Span) -> str | None:
        """The language of a block; None where it changes and has to be judged sentence by sentence."""
        return None if any(block[0] <= moment < block[1] for moment in self.others) else self.language


def listen_for_language(recognizer: SpeechToText, audio: Audio, speech: list[Span], wanted: tuple[str, ...]) -> Spoken:
    """The language spoken, among the `wanted` ones unless clearly none of them is."""
    samples = [pack(audio, speech, (start, audio.seconds), WINDOW) for start in window_starts(speech)]
    heard = [(part.spans[0][0], recognizer.languages(part.samples)) for part in samples]
    scores = {code: sum(window[code] for _, window in heard) / len(heard) for code in heard[0][1]}
    language = choose(scores, wanted)
    others = [] if len(wanted) == 1 else [at for at, window in heard if clearly_not(window, language)]
    return Spoken(language, others)


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


def choose(scores: dict[str, float], wanted: tuple[str, ...]) -> str:
    spoken = max(scores, key=lambda code: scores[code])
    known = [code for code in wanted if code in scores]
    if not known:
        return spoken
    best = max(known, key=lambda code: scores[code])
    return spoken if scores[spoken] >= CLEAR and scores[best] <= UNLIKELY else best


def clearly_not(window: dict[str, float], language: str) -> bool:
    return max(window.values()) >= CLEAR and window[language] <= UNLIKELY
