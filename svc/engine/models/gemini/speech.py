"""Speech to text by Google's transcribing model: words with their times, a few minutes of sound in each question."""

import zlib
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from svc.engine.language import short_code
from svc.engine.media.audio import RATE
from svc.engine.models.gemini.answer import Answer, well_formed
from svc.engine.models.gemini.api import Api
from svc.engine.models.gemini.sound import MIME, flac, inline
from svc.engine.models.gemini.words import words_of
from svc.engine.models.protocol import Effort, Passage
from svc.engine.run import Run
from svc.engine.speech.text import spell
from svc.engine.transcript import Word

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

MODEL = "gemini-3.5-transcribe"
# A request may have 20 MB, and so much sound fits into one even where it cannot be compressed. (With word times the
# model takes half an hour; of more it makes a mess, and bills it.)
LONGEST_SECONDS = 400
LANGUAGE_SECONDS = 30
PAUSE = 1.0  # seconds of silence that end a passage
PASSAGE_SECONDS = 30.0
WORDS = {"type": "verbatim", "timestamp_granularities": ["word"]}


class Transcriber:
    """A SpeechToText provider. It does not say how sure it is."""

    name = MODEL

    def __init__(self, run: Run):
        self.api, self.tags = Api(run), run.request.languages

    def languages(self, samples: np.ndarray) -> dict[str, float]:
        """Judged by the text; none when there is none."""
        text = self.ask(samples[: LANGUAGE_SECONDS * RATE], mode="verbatim").text
        return languages_of(text) if text.strip() else {}

    def recognize(
        self, samples: np.ndarray, language: str | None, vocabulary: tuple[str, ...] = (), effort: Effort = "usual"
    ) -> Iterator[Passage]:
        """The vocabulary is left to others: the model refuses it beside word times.

        The effort `again` leaves the language to the model. `wide` finds nothing: no words are surer than others.
        """
        if effort == "wide":
            return
        hints = {} if language is None or effort == "again" else {"language_codes": [self.tag(language)]}
        for first in range(0, len(samples), LONGEST_SECONDS * RATE):
            piece = samples[first : first + LONGEST_SECONDS * RATE]
            answer = self.ask(piece, mode=WORDS, **hints)
            with well_formed():
                words = [word for block in answer.blocks for word in words_of(block, len(piece) / RATE)]
            yield from passages(words, first / RATE)

    def ask(self, samples: np.ndarray, **config: Any) -> Answer:
        """What is heard, cut short or not: words that are missing are noticed by whoever knows where speech is."""
        sound = inline(flac(samples), "audio", MIME)
        return self.api.ask(MODEL, [sound], generation_config={"transcription_config": config})

    def tag(self, language: str) -> str:
        """The caller's own tag for a language, which may name a country."""
        return next((tag for tag in self.tags if short_code(tag) == language), language)


def passages(words: list[Word], shift: float) -> Iterator[Passage]:
    """The words in stretches that end with a pause or grow too long, `shift` seconds later."""
    begun: list[Word] = []
    for word in words:
        if begun and (word.start - begun[-1].end > PAUSE or word.end - begun[0].start > PASSAGE_SECONDS):
            yield passage(begun, shift)
            begun = []
        begun.append(word)
    if begun:
        yield passage(begun, shift)


def passage(words: list[Word], shift: float) -> Passage:
    start, end = words[0].start + shift, words[-1].end + shift
    for word in words:
        word.start, word.end = word.start + shift, word.end + shift
    letters = spell(words).encode()
    return Passage(start, end, words, compression=len(letters) / len(zlib.compress(letters)))


def languages_of(text: str) -> dict[str, float]:
    """Each language and the probability that the text is written in it."""
    scores: dict[str, float] = {}
    for name, score in identifier().rank(text):
        code = short_code(name) or name
        scores[code] = scores.get(code, 0.0) + score
    return scores


@cache
def identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
