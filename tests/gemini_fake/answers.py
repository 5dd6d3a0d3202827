"""The answers by rule, and what they use."""

import json
from typing import Any

from gemini_fake.checks import TRANSCRIBER
from gemini_fake.filler import Filler
from gemini_fake.question import Media, Question
from gemini_fake.speech import Recording, Word, annotations

AUDIO_TOKENS = 25  # a second
FRAME_TOKENS, HIGH_FRAME_TOKENS = 70, 280
IMAGE_TOKENS = {"low": 280, "medium": 560, "ultra_high": 2240}
IMAGE_DEFAULT = 1120
THOUGHT_TOKENS = 64
WORD_SECONDS = 1800  # longer audio with words comes out of order


def text_tokens(text: str) -> int:
    return -(-len(text) // 4)


def transcribed(question: Question, heard: list[Word]) -> list[dict[str, Any]]:
    """The transcriber's steps; none when nobody speaks."""
    config = question.config.get("transcription_config") or {}
    mode = config.get("mode") if isinstance(config.get("mode"), dict) else {}
    text = " ".join(with_vocabulary(word, config.get("custom_vocabulary") or []) for word, _, _ in heard)
    if not text:
        return []
    times, speakers = bool(mode.get("timestamp_granularities")), bool(mode.get("diarization_mode"))
    block: dict[str, Any] = {"type": "text", "text": text}
    if times or speakers:
        block["annotations"] = annotations(heard, times, speakers)
        if question.window and question.window.seconds > WORD_SECONDS:
            block["annotations"].reverse()
    return [{"type": "model_output", "content": [block]}]


def with_vocabulary(word: str, terms: list[str]) -> str:
    """A term in place of a word that sounds like it: here, one of the same first two letters."""
    return next((term for term in terms if term[:2].lower() == word[:2].lower()), word)


def written(question: Question, heard: list[Word], scripted: Any, absolute: bool) -> list[dict[str, Any]]:
    """The steps of a model that writes: a thought, then the text."""
    if scripted is None and question.schema:
        scripted = Filler(question, heard, absolute).fill(question.schema)
    if scripted is None:
        scripted = f"You said: {question.text.strip()}"
    text = scripted if isinstance(scripted, str) else json.dumps(scripted, ensure_ascii=False)
    return [
        {"type": "thought", "signature": "c2lnbmF0dXJl"},
        {"type": "model_output", "content": [{"type": "text", "text": text}]},
    ]


def heard_in(question: Question, recordings: list[Recording], linked: dict[str, list[Word]]) -> list[Word]:
    """The words in the question's first sound, on the clock of its window."""
    for media in question.media:
        if media.kind == "audio":
            sound = media.samples()
            found = (recording.heard_in(sound) for recording in recordings)
            return next((words for words in found if words is not None), [])
        if media.uri in linked:
            inside = [word for word in linked[media.uri] if media.start <= word[1] < media.end]
            return [(text, start - media.start, end - media.start) for text, start, end in inside]
    return []


def usage(question: Question, steps: list[dict[str, Any]]) -> dict[str, Any]:
    tokens = {"text": text_tokens(question.text + question.instructions)}
    for media in question.media:
        for modality, count in media_tokens(media, question).items():
            tokens[modality] = tokens.get(modality, 0) + count
    text = "".join(block["text"] for step in steps for block in step.get("content", ()))
    transcribes = question.model == TRANSCRIBER
    out = 0 if transcribes else text_tokens(text)
    thought = 0 if transcribes or question.config.get("thinking_level") == "minimal" else THOUGHT_TOKENS
    return {
        "total_tokens": sum(tokens.values()) + out + thought,
        "total_input_tokens": sum(tokens.values()),
        "input_tokens_by_modality": [{"modality": name, "tokens": n} for name, n in tokens.items() if n],
        "total_cached_tokens": 0,
        "total_output_tokens": out,
        "output_tokens_by_modality": [{"modality": "text", "tokens": out}],
        "total_tool_use_tokens": 0,
        "total_thought_tokens": thought,
    }


def media_tokens(media: Media, question: Question) -> dict[str, int]:
    if media.kind == "audio":
        return {"audio": round(media.seconds * AUDIO_TOKENS)}
    if media.kind == "video":
        frames = round(media.seconds * media.fps * (HIGH_FRAME_TOKENS if media.high else FRAME_TOKENS))
        return {"video": frames, "audio": round(media.seconds * AUDIO_TOKENS) if media.audible else 0}
    return {"image": IMAGE_DEFAULT}
