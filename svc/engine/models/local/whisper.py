"""Whisper on this machine, by faster-whisper: one thread, no sampling, so the same sound gives the same words."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.transcribe import Segment as WhisperSegment

from svc.core.errors import EngineError
from svc.engine.language import short_code
from svc.engine.media.audio import RATE
from svc.engine.models.local.weights import NAME, embedded_model
from svc.engine.models.protocol import Effort, Passage
from svc.engine.request import Config
from svc.engine.speech.text import glued
from svc.engine.transcript import Word

log = logging.getLogger(__name__)

BEAM, WIDE_BEAM = 5, 10
MAX_NEW_TOKENS = 220  # in half a minute; OpenAI's 224 are, with a long vocabulary, a few too many for the model
# A try after a failed one forbids what that may have been caught in: going round in circles of so many tokens or more.
NO_REPEAT = 5
# A lone short word is taken for nothing unless there is silence around it.
SHORT, SILENCE = 1.0, 0.5  # seconds


class Whisper:
    """A SpeechToText provider."""

    def __init__(self, model: WhisperModel, name: str):
        self.model, self.name = model, name

    def languages(self, samples: np.ndarray) -> dict[str, float]:
        if not self.model.model.is_multilingual:
            return {"en": 1.0}
        with engine_errors():
            _, _, scores = self.model.detect_language(samples)
        return {short_code(code) or code: score for code, score in scores}

    def recognize(
        self, samples: np.ndarray, language: str | None, vocabulary: tuple[str, ...] = (), effort: Effort = "usual"
    ) -> Iterator[Passage]:
        silence = SILENCE if len(samples) < SHORT * RATE else 0.0
        with engine_errors():
            segments, _ = self.model.transcribe(
                np.pad(samples, round(silence * RATE)),
                language=self.own_code(language),
                multilingual=language is None,
                beam_size=WIDE_BEAM if effort == "wide" else BEAM,
                max_new_tokens=MAX_NEW_TOKENS,
                no_repeat_ngram_size=NO_REPEAT if effort == "again" else 0,
                temperature=0.0,
                word_timestamps=True,
                condition_on_previous_text=False,
                compression_ratio_threshold=None,
                log_prob_threshold=None,
                no_speech_threshold=None,
                hotwords=", ".join(vocabulary) or None,
            )
            for segment in segments:
                yield Passage(
                    start=segment.start - silence,
                    end=segment.end - silence,
                    words=words_of(segment, silence),
                    logprob=segment.avg_logprob,
                    no_speech=segment.no_speech_prob,
                    compression=segment.compression_ratio,
                )

    def own_code(self, language: str | None) -> str | None:
        """Whisper's name of a language; what an English-only model hears is English."""
        if not self.model.model.is_multilingual:
            return "en"
        return next((code for code in self.model.supported_languages if short_code(code) == language), None)


@contextmanager
def engine_errors() -> Iterator[None]:
    """What ctranslate2 raises, as INCOMPLETE_OUTPUT."""
    try:
        yield
    except RuntimeError as error:
        raise EngineError("INCOMPLETE_OUTPUT", "The speech model failed on a stretch of sound.") from error


def words_of(segment: WhisperSegment, silence: float) -> list[Word]:
    """Whole words, their times without the silence before the sound.

    Pieces of one ("five", "-year") are put together, except where a script has no spaces.
    """
    words: list[Word] = []
    for piece in segment.words or ():
        text, sure = piece.word.strip(), float(piece.probability)
        start, end = max(0.0, float(piece.start) - silence), max(0.0, float(piece.end) - silence)
        if words and text and not piece.word.startswith(" ") and not glued(words[-1].text, text):
            last = words[-1]
            last.text, last.end, last.confidence = last.text + text, end, min(last.confidence or 0.0, sure)
        elif text:
            words.append(Word(text, start, end, confidence=sure))
    return words


def load_whisper(config: Config) -> Whisper:
    """The embedded model, or the operator's: a directory, or a name faster-whisper fetches. Raises TOOL_MISSING."""
    name = config.whisper_model or NAME
    path = config.whisper_model or str(embedded_model(Path(config.models_dir)))
    local = Path(path).is_dir()
    try:
        model = WhisperModel(
            path,
            device="cpu",
            compute_type="int8",
            cpu_threads=1,
            download_root=config.models_dir,
            local_files_only=local,
        )
    except (OSError, ValueError, RuntimeError) as error:
        log.warning("whisper model %s cannot be loaded: %s", name, error)
        told = f"The speech model {name} cannot be loaded: check SVC_WHISPER_MODEL."
        raise EngineError("TOOL_MISSING", operator=told) from error
    return Whisper(model, Path(name).name)
