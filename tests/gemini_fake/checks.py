"""What the Interactions API refuses, and a request as a Question."""

import re
from dataclasses import dataclass
from typing import Any

from gemini_fake.files import Files
from gemini_fake.question import Media, Question, inline_data, measure, media_of
from gemini_fake.refusal import Refusal

TOP_LEVEL = {
    *("model", "agent", "input", "system_instruction", "generation_config", "response_format", "store", "stream"),
    *("background", "labels", "tools", "previous_interaction_id", "continuation_token", "service_tier"),
    *("safety_settings", "environment", "webhook_config"),
}
CONFIG = {
    *("max_output_tokens", "thinking_level", "thinking_summaries", "seed", "stop_sequences", "temperature", "top_p"),
    *("tool_choice", "transcription_config", "speech_config", "image_config", "video_config"),
}
TRANSCRIBER = "gemini-3.5-transcribe"
MODELS = {
    TRANSCRIBER,
    "gemini-3.5-flash-lite",
    "gemini-3.5-flash",
    "gemini-3.6-flash",
    "gemini-3.7-flash",
    "gemini-3.8-flash",
    "gemini-flash-latest",
    "gemini-4-argon",
}
LEVELS = ("minimal", "low", "medium", "high", "xhigh")
MOST_FPS = 24
INLINE_BYTES = 20_000_000  # a whole request with media in it
OFFSET = re.compile(r"\d+(\.\d+)?s")
WATCH_LINK = re.compile(r"https://www\.youtube\.com/watch\?v=([\w-]{11})")


@dataclass
class Video:
    """A public video that a link leads to."""

    seconds: float
    audible: bool = True


def unknown(name: str, place: str) -> Refusal:
    return Refusal(400, "parameter_unknown", f"Unknown parameter '{name}' at '{place}'.")


def invalid(message: str) -> Refusal:
    return Refusal(400, "invalid_request", message)


class Checker:
    """Reads requests, with the files and linked videos that there are."""

    def __init__(self, files: Files, videos: dict[str, Video]):
        self.files, self.videos = files, videos

    def question(self, body: dict[str, Any]) -> Question:
        check_fields(body)
        question = Question(body["model"], body)
        if "response_format" in body:
            question.schema = schema_of(body["response_format"])
        for part in parts_of(body.get("input", [])):
            if part.get("type") == "text":
                question.text += ("\n" if question.text else "") + part["text"]
            else:
                question.media.append(self.media(part))
        check_transcription(question)
        return question

    def media(self, part: dict[str, Any]) -> Media:
        kind = part.get("type")
        if kind not in ("audio", "video", "image", "document"):
            raise invalid(f"Unknown content type '{kind}'.")
        check_processing(part)
        if "data" in part:
            data = inline_data(part)
            return media_of(part, data, *measure(kind, data))
        if link := WATCH_LINK.fullmatch(part.get("uri", "")):
            video = self.videos.get(link[1])
            if video is None:
                raise invalid("Cannot fetch content from the provided URL.")
            media = media_of(part, b"", video.seconds, video.audible)
        else:
            data = self.files.active(part.get("uri", "")).data
            media = media_of(part, data, *measure(kind, data))
        if media.end and media.start >= media.end:
            raise invalid("The start offset is behind the end of the media.")
        return media


def check_fields(body: dict[str, Any]) -> None:
    for name in body:
        if name not in TOP_LEVEL:
            raise unknown(name, name)
    config = body.get("generation_config") or {}
    for name in config:
        if name not in CONFIG:
            raise unknown(name, f"generation_config.{name}")
    model = body.get("model")
    if model not in MODELS:
        raise Refusal(404, "model_not_found", f"Model '{model}' was not found.")
    if body.get("store") is False and (body.get("background") or body.get("previous_interaction_id")):
        raise invalid("This needs a stored interaction.")
    level = config.get("thinking_level")
    if level is not None and (level not in LEVELS or (level == "minimal" and "lite" not in model)):
        raise invalid(f"Thinking level {level} is not supported.")


def schema_of(form: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of the typed form, or of a bare one."""
    if form.get("type") != "text" or "schema" not in form:
        return form if form.get("type") == "object" else None
    if form.get("mime_type") != "application/json":
        raise invalid("A schema needs the mime_type application/json.")
    return form["schema"]


def parts_of(given: Any) -> list[dict[str, Any]]:
    """The content of all steps; a string and a bare list of content are taken too, the latter without `processing`."""
    if isinstance(given, str):
        return [{"type": "text", "text": given}]
    found: list[dict[str, Any]] = []
    for index, step in enumerate(given):
        if step.get("type") == "user_input":
            content = step["content"]
            found += [{"type": "text", "text": content}] if isinstance(content, str) else content
        elif step.get("type") not in ("model_output", "thought"):
            if "processing" in step:
                raise unknown("processing", f"input[{index}]")
            found.append(step)
    return found


def check_processing(part: dict[str, Any]) -> None:
    processing = part.get("processing", "static")
    if isinstance(processing, str):
        return
    fps = processing.get("fps", 1)
    if not 0 < fps <= MOST_FPS:
        raise invalid("The frame rate is out of range.")
    for name in ("start_offset", "end_offset"):
        if name in processing and not OFFSET.fullmatch(str(processing[name])):
            raise invalid(f"{name} must be a duration such as 10s.")


def check_transcription(question: Question) -> None:
    config = question.config.get("transcription_config")
    if (question.model == TRANSCRIBER) != (config is not None) and config is not None:
        raise invalid("This model does not transcribe.")
    if question.model == TRANSCRIBER and any(media.kind != "audio" for media in question.media):
        raise invalid("This model takes audio only.")
    mode = (config or {}).get("mode")
    wants_more = isinstance(mode, dict) and (mode.get("timestamp_granularities") or mode.get("diarization_mode"))
    if wants_more and config and config.get("custom_vocabulary"):
        raise invalid("custom_vocabulary cannot be combined with timestamps or diarization.")
