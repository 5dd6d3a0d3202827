"""Chat: what is refused, and the answers by rule."""

import base64
import io
import json
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

from openai_fake.abilities import Abilities
from openai_fake.filler import Filler
from openai_fake.refusal import Refusal, unknown_parameter

TAKEN = {
    *("model", "messages", "max_tokens", "max_completion_tokens", "response_format", "temperature", "top_p", "n"),
    *("seed", "stop", "user", "stream", "metadata", "reasoning_effort", "store"),
}
LETTERS_A_TOKEN = 4
IMAGE_TOKENS = 85
THOUGHT = "Let me think about {what}."
DATA_URL = "data:image/jpeg;base64,"


@dataclass
class Question:
    """A checked request. `text` is all that the user says; `schema` the one that was sent along, if any."""

    body: dict[str, Any]
    instructions: str = ""
    text: str = ""
    images: list[bytes] = field(default_factory=list)
    schema: dict[str, Any] | None = None

    @property
    def tokens(self) -> int:
        return (len(self.instructions) + len(self.text)) // LETTERS_A_TOKEN + IMAGE_TOKENS * len(self.images)

    @property
    def limit(self) -> int | None:
        return self.body.get("max_completion_tokens") or self.body.get("max_tokens")


def read(body: dict[str, Any], knows: Abilities) -> Question:
    """Raises Refusal, as a server of these abilities would."""
    for name in body:
        if name not in TAKEN:
            raise unknown_parameter(name)
        if name in ("max_tokens", "max_completion_tokens") and name not in knows.limits:
            hint = f"Unsupported parameter: '{name}' is not supported with this model. Use '{knows.limits[0]}' instead."
            raise Refusal(400, hint, "unsupported_parameter", name)
    question = Question(body)
    for message in body.get("messages") or ():
        read_message(message, question, knows)
    if not question.text and not question.images:
        raise Refusal(400, "Missing required parameter: 'messages'.", "missing_required_parameter", "messages")
    if len(question.images) > knows.most_images:
        raise Refusal(400, f"At most {knows.most_images} image(s) may be provided in one request.")
    question.schema = schema_of(body.get("response_format") or {"type": "text"}, question, knows)
    if question.tokens > knows.context:
        told = f"This model's maximum context length is {knows.context} tokens. Your messages have {question.tokens}."
        raise Refusal(400, told, "context_length_exceeded", "messages")
    return question


def read_message(message: dict[str, Any], question: Question, knows: Abilities) -> None:
    if message.get("role") not in ("system", "developer", "user", "assistant"):
        raise Refusal(400, f"Invalid value: '{message.get('role')}'.", "invalid_value", "messages[0].role")
    content = message["content"]
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if part["type"] == "image_url":
            question.images.append(read_image(part["image_url"]["url"], knows))
        elif part["type"] != "text":
            raise Refusal(400, f"Invalid value: '{part['type']}'.", "invalid_value", "messages")
        elif message["role"] in ("system", "developer"):
            question.instructions += part["text"] + "\n"
        elif message["role"] == "user":
            question.text += part["text"] + "\n"


def read_image(url: str, knows: Abilities) -> bytes:
    if not knows.images:
        raise Refusal(knows.status, "image input is not supported - you may need to provide the mmproj")
    if not url.startswith(DATA_URL):
        raise Refusal(400, "Failed to download image.", "invalid_image_url")
    jpeg = base64.b64decode(url.removeprefix(DATA_URL), validate=True)
    Image.open(io.BytesIO(jpeg)).load()
    return jpeg


def schema_of(form: dict[str, Any], question: Question, knows: Abilities) -> dict[str, Any] | None:
    kind = form.get("type")
    if kind == "json_schema" and knows.json_schema:
        check_strict(form["json_schema"]["schema"])
        return form["json_schema"]["schema"]
    if kind == "json_object" and knows.json_object:
        if "schema" in form and not knows.schema_in_object:
            raise unknown_parameter("response_format.schema")
        if "json" not in (question.instructions + question.text).lower():
            message = "'messages' must contain the word 'json' in some form, to use 'response_format' of 'json_object'."
            raise Refusal(400, message, None, "messages")
        return form.get("schema") or {}
    if kind == "text":
        return None
    raise Refusal(knows.status, f"response_format of type '{kind}' is not supported with this model.", None, "format")


def check_strict(schema: dict[str, Any]) -> None:
    """OpenAI's strict schemas: every property required, nothing additional."""
    if schema.get("type") == "object":
        names = schema.get("properties", {})
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(names):
            message = "Invalid schema for response_format 'answer': 'required' must name every property."
            raise Refusal(400, message, None, "response_format")
        for inner in names.values():
            check_strict(inner)
    elif schema.get("type") == "array":
        check_strict(schema["items"])


def written(question: Question, scripted: Any, knows: Abilities) -> str:
    """The text of an answer: the script's, else a value that fits the schema, else an echo."""
    if scripted is None:
        schema = question.schema or schema_in(question.instructions)
        scripted = Filler(question.text).fill(schema) if schema else f"You said: {question.text.strip()}"
    text = scripted if isinstance(scripted, str) else json.dumps(scripted, ensure_ascii=False)
    return f"<think>{THOUGHT.format(what='{it}')}</think>\n{text}" if knows.thinks else text


def schema_in(text: str) -> dict[str, Any] | None:
    """A schema that stands in instructions, which a model would follow without being forced to."""
    try:
        return json.JSONDecoder().raw_decode(text, text.index('{"type": "object"'))[0]
    except ValueError:
        return None


def usage(question: Question, text: str) -> dict[str, Any]:
    out = len(text) // LETTERS_A_TOKEN
    thought = len(text.rpartition("</think>")[0]) // LETTERS_A_TOKEN
    return {
        "prompt_tokens": question.tokens,
        "completion_tokens": out,
        "total_tokens": question.tokens + out,
        "completion_tokens_details": {"reasoning_tokens": thought},
    }
