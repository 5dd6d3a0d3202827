"""Speech to text by `/audio/transcriptions`, with as much about times as the server tells."""

import io
import math
import re
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from svc.core.errors import EngineError
from svc.engine.media.audio import RATE
from svc.engine.models.openai.language_names import CODES, code_of
from svc.engine.models.openai.server import Declined, count, speech_server
from svc.engine.models.openai.words import Stretch, number, put_together, stamps, stretches
from svc.engine.models.protocol import Effort, Passage
from svc.engine.models.usage import Usage
from svc.engine.run import Run
from svc.engine.synthesis.language import detect
from svc.engine.transcript import Word

WINDOW = 30.0  # seconds that Whisper hears at once, and judges the language by
SHORTEST = 0.1  # seconds; OpenAI refuses less
SPLIT_FROM = 10.0  # seconds; what is refused as too long and is shorter stays refused
LONGEST_BYTES = 25_000_000  # of an upload, for most servers
QUIET_SECONDS = 0.2  # a moment is judged by so much

# Whisper reads 224 tokens of a prompt, the last ones; vLLM refuses more than leaves room for the text.
PROMPT_LETTERS = 400

# What is asked of a server, the most telling first.
FORMS: tuple[dict[str, Any], ...] = (
    {"response_format": "verbose_json", "timestamp_granularities[]": ["word", "segment"]},
    {"response_format": "verbose_json"},
    {"response_format": "json"},
)
ABOUT_FORM = re.compile(r"response.?format|verbose.?json|timestamp|granularit|support the format")
ABOUT_LANGUAGE = re.compile(r"\blanguage")

NAMED, JUDGED = 1.0, 0.6  # how sure a language is that the server names, or that only the text shows


@dataclass
class Manners:
    """What a server turned out to take: the best of FORMS by index, a language, and how many samples at once."""

    form: int = 0
    takes_language: bool = True
    longest: int = LONGEST_BYTES // 2

    def give_way(self, said: str) -> bool:
        """Asks for less from now on, if the server's words are about what it was asked for."""
        if ABOUT_FORM.search(said) and self.form < len(FORMS) - 1:
            self.form += 1
            return True
        if ABOUT_LANGUAGE.search(said) and self.takes_language:
            self.takes_language = False
            return True
        return False


@cache
def manners_of(base_url: str, model: str) -> Manners:
    return Manners()


class ServerEars:
    """A SpeechToText provider. What is too long for the server is heard in pieces."""

    def __init__(self, run: Run):
        self.run, self.server = run, speech_server(run)
        self.name = self.server.model
        self.manners = manners_of(str(self.server.client.base_url), self.name)

    def languages(self, samples: np.ndarray) -> dict[str, float]:
        """Certain when the server names the language; else judged by the text, and less sure."""
        answer = self.transcribe(samples[: int(WINDOW * RATE)], None, ())
        named = code_of(str(answer.get("language") or ""))
        code = named or code_of(detect(str(answer.get("text") or "")))
        scores = dict.fromkeys(CODES, 0.0)
        return scores | {code: NAMED if named else JUDGED} if code else scores

    def recognize(
        self, samples: np.ndarray, language: str | None, vocabulary: tuple[str, ...] = (), effort: Effort = "usual"
    ) -> Iterator[Passage]:
        """Nothing for the effort `wide`: a server has no other way to listen, and its words stay as they are."""
        if effort == "wide" or len(samples) < SHORTEST * RATE:
            return
        answer = None
        if len(samples) <= min(self.manners.longest, WINDOW * RATE if language is None else len(samples)):
            answer = self.attempt(samples, language, vocabulary)
        if answer is None:
            yield from self.in_two(samples, language, vocabulary)
        else:
            yield from passages(answer, len(samples) / RATE)

    def attempt(self, samples: np.ndarray, language: str | None, vocabulary: tuple[str, ...]) -> dict[str, Any] | None:
        """The server's answer; None when it is better asked for less: what is too long, or too long without times."""
        try:
            answer = self.transcribe(samples, language, vocabulary)
        except EngineError as error:
            if error.code != "TOO_LARGE" or len(samples) < SPLIT_FROM * RATE:
                raise
            self.manners.longest = len(samples) - len(samples) // 4
            return None
        if is_timeless(answer) and len(samples) > WINDOW * RATE:
            self.manners.longest = int(WINDOW * RATE)
            return None
        return answer

    def in_two(self, samples: np.ndarray, language: str | None, vocabulary: tuple[str, ...]) -> Iterator[Passage]:
        middle = quiet_middle(samples)
        yield from self.recognize(samples[:middle], language, vocabulary)
        for passage in self.recognize(samples[middle:], language, vocabulary):
            yield later(passage, middle / RATE)

    def transcribe(self, samples: np.ndarray, language: str | None, vocabulary: tuple[str, ...]) -> dict[str, Any]:
        """The server's answer. What it refuses is left out, and asked again."""
        sound = wav(samples)
        while True:
            try:
                answer = self.server.post(
                    "audio/transcriptions",
                    data=self.question(language, vocabulary),
                    files={"file": ("audio.wav", sound, "audio/wav")},
                )
            except Declined as declined:
                if declined.code == "PROVIDER_PROTOCOL" and self.manners.give_way(declined.said):
                    continue
                raise
            self.run.spend(usage(answer.get("usage")))
            return answer

    def question(self, language: str | None, vocabulary: tuple[str, ...]) -> dict[str, Any]:
        asked = {"model": self.name, "temperature": "0", **FORMS[self.manners.form]}
        if language and self.manners.takes_language:
            asked["language"] = language
        if hints := prompt(vocabulary):
            asked["prompt"] = hints
        return asked


def prompt(vocabulary: tuple[str, ...]) -> str:
    """As many of the hints as a model reads, the first ones."""
    hints = ""
    for word in vocabulary:
        longer = f"{hints}, {word}" if hints else word
        if len(longer) > PROMPT_LETTERS:
            break
        hints = longer
    return hints


def is_timeless(answer: dict[str, Any]) -> bool:
    """Whether there is text and nothing about times."""
    return bool(answer.get("text")) and not answer.get("segments") and not answer.get("words")


def passages(answer: dict[str, Any], seconds: float) -> Iterator[Passage]:
    """A passage for each segment of an answer about so many seconds of sound."""
    parts = stretches(answer, seconds)
    for part, words in zip(parts, put_together(parts, stamps(answer, seconds)), strict=True):
        yield passage(part, words)


def passage(part: Stretch, words: list[Word]) -> Passage:
    """A segment with what the server tells of its quality; words it says nothing of are as sure as their segment."""
    logprob = number(part.part.get("avg_logprob"))
    for word in words:
        if word.confidence is None and logprob is not None:
            word.confidence = min(1.0, math.exp(logprob))
    return Passage(
        start=min(part.start, words[0].start),
        end=max(part.end, words[-1].end),
        words=words,
        logprob=logprob or 0.0,
        no_speech=number(part.part.get("no_speech_prob")) or 0.0,
        compression=number(part.part.get("compression_ratio")) or 1.0,
    )


def later(passage: Passage, seconds: float) -> Passage:
    for word in passage.words:
        word.start, word.end = word.start + seconds, word.end + seconds
    passage.start, passage.end = passage.start + seconds, passage.end + seconds
    return passage


def quiet_middle(samples: np.ndarray) -> int:
    """The quietest moment of the middle half, as an index."""
    frame = int(QUIET_SECONDS * RATE)
    first = len(samples) // 4
    frames = samples[first : len(samples) - first]
    frames = frames[: len(frames) // frame * frame].reshape(-1, frame)
    return first + int(np.argmin(np.square(frames).sum(axis=1))) * frame + frame // 2


def wav(samples: np.ndarray) -> bytes:
    """The samples as a WAV file of 16 bits."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return file.getvalue()


def usage(reported: Any) -> Usage:
    """What a call used, where the server counts tokens; a price is not known."""
    return Usage(
        tokens_in=count(reported, "input_tokens"),
        tokens_out=count(reported, "output_tokens"),
        audio_in=count(reported, "input_token_details", "audio_tokens"),
        usd=None,
    )
