"""Transcription: real words and real times, heard by the embedded Whisper model, in the shapes that servers send."""

import io
import re
import wave
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import recordings

from openai_fake.abilities import Abilities
from openai_fake.refusal import Refusal
from svc.engine.models.local.whisper import load_whisper
from svc.engine.request import Config

RATE = 16_000
MOST_BYTES = 25 * 1024 * 1024
SHORTEST = 0.1
TAKEN = {"model", "language", "prompt", "response_format", "temperature", "timestamp_granularities[]"}
LANGUAGE_NAMES = {"en": "english", "es": "spanish", "fr": "french", "ja": "japanese", "zh": "chinese"}


@dataclass
class Request:
    """A checked request: the fields of the form, `timestamp_granularities[]` as a list, and the samples."""

    fields: dict[str, str]
    granularities: list[str]
    samples: np.ndarray

    @property
    def seconds(self) -> float:
        return len(self.samples) / RATE

    @property
    def verbose(self) -> bool:
        return self.fields.get("response_format") == "verbose_json"


def read(fields: dict[str, list[str]], file: bytes, knows: Abilities) -> Request:
    """Raises Refusal, as a server of these abilities would."""
    for name in fields:
        if name not in TAKEN:
            raise Refusal(400, f"Unknown parameter: '{name}'.", "unknown_parameter", name)
    if len(file) > MOST_BYTES:
        raise Refusal(413, f"Maximum content size limit ({MOST_BYTES}) exceeded ({len(file)} bytes read)")
    request = Request({name: values[0] for name, values in fields.items()}, [], samples_of(file))
    request.granularities = fields.get("timestamp_granularities[]", ["segment"])
    check_form(request, fields, knows)
    if request.fields.get("language") and not knows.takes_language:
        raise Refusal(400, "Invalid language.", "invalid_language_format", "language")
    if request.seconds < SHORTEST:
        raise Refusal(400, "Audio file is too short. Minimum audio length is 0.1 seconds.", "audio_too_short", "file")
    if request.seconds > knows.longest:
        told = f"audio duration {request.seconds} seconds is longer than {knows.longest} seconds which is the maximum"
        raise Refusal(400, f"{told} for this model", "invalid_value", "file")
    return request


def check_form(request: Request, fields: dict[str, list[str]], knows: Abilities) -> None:
    form = request.fields.get("response_format", "json")
    if form == "verbose_json" and not knows.verbose:
        told = f"response_format 'verbose_json' is not compatible with model '{request.fields['model']}'."
        raise Refusal(400, f"{told} Use 'json' or 'text' instead.", "unsupported_value", "response_format")
    if form not in ("json", "verbose_json"):
        raise Refusal(400, f"Invalid value: '{form}'.", "invalid_value", "response_format")
    if "timestamp_granularities[]" in fields and (form != "verbose_json" or not knows.granularities):
        raise Refusal(400, "timestamp_granularities is not supported.", None, "timestamp_granularities")


def samples_of(file: bytes) -> np.ndarray:
    with wave.open(io.BytesIO(file)) as sound:
        if (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) != (1, 2, RATE):
            raise Refusal(400, "Invalid file format.", None, "file")
        return np.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(np.float32) / 32768


def transcribed(request: Request, knows: Abilities) -> dict[str, Any]:
    """The body of the answer."""
    prompt = request.fields.get("prompt", "")
    segments, language = heard(request.samples.tobytes(), request.fields.get("language"), prompt)
    text = "".join(segment["text"] for segment in segments).strip()
    if not request.verbose:
        return {"text": text, "usage": {"type": "duration", "seconds": round(request.seconds)}}
    answer: dict[str, Any] = {"task": "transcribe", "duration": str(request.seconds), "text": text}
    if knows.names_language:
        answer["language"] = LANGUAGE_NAMES.get(language, language)
    if knows.segments and "segment" in request.granularities:
        answer["segments"] = [{key: value for key, value in s.items() if key != "words"} for s in segments]
    if knows.words and "word" in request.granularities:
        words = [word for segment in segments for word in segment["words"]]
        answer["words"] = [shown(word, knows) for word in words if knows.punctuated_words or bare(word["word"])]
    return answer


def shown(word: dict[str, Any], knows: Abilities) -> dict[str, Any]:
    """A word as OpenAI sends it, without punctuation; or as faster-whisper's servers do."""
    if knows.punctuated_words:
        return word
    return {"word": bare(word["word"]), "start": word["start"], "end": word["end"]}


def bare(word: str) -> str:
    return re.sub(r"^\W+|\W+$", "", word)


@cache
def heard(samples: bytes, language: str | None, prompt: str) -> tuple[list[dict[str, Any]], str]:
    """The segments with their words, and the language's code."""
    found, info = model().transcribe(
        np.frombuffer(samples, np.float32), language=language, initial_prompt=prompt or None, word_timestamps=True
    )
    segments = [
        {
            "id": number,
            "seek": segment.seek,
            "start": round(segment.start, 2),
            "end": round(segment.end, 2),
            "text": segment.text,
            "tokens": segment.tokens,
            "temperature": segment.temperature,
            "avg_logprob": segment.avg_logprob,
            "compression_ratio": segment.compression_ratio,
            "no_speech_prob": segment.no_speech_prob,
            "words": [
                {"word": w.word, "start": round(w.start, 2), "end": round(w.end, 2), "probability": w.probability}
                for w in segment.words or ()
            ],
        }
        for number, segment in enumerate(found)
    ]
    return segments, info.language


@cache
def model() -> Any:
    return load_whisper(Config(models_dir=str(recordings.FOLDER / "models"), work_dir="")).model
