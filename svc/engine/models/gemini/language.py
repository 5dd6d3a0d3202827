"""The model that reads and writes: text, pictures and sound in, JSON that fits a schema out."""

import logging
from collections.abc import Sequence
from typing import Any

import jsonschema_rs

from svc.core.errors import EngineError
from svc.engine.models.gemini import prompts
from svc.engine.models.gemini.api import Api, Content
from svc.engine.models.gemini.pricing import cost_of_text
from svc.engine.models.gemini.sound import MIME as SOUND_MIME
from svc.engine.models.gemini.sound import flac, inline
from svc.engine.models.protocol import Image, Part, Sound
from svc.engine.models.upstream import strict_json

log = logging.getLogger(__name__)

READS = 600_000  # characters: well inside a million tokens in any script
MOST_TOKENS = 65_536  # that a model can write
THOUGHT_TOKENS = 4_096  # room for thinking, which counts as written


class Gemini:
    """A LanguageModel provider."""

    reads = READS

    def __init__(self, api: Api):
        self.api, self.name = api, api.access.model

    def complete(
        self, instructions: str, parts: Sequence[Part], schema: dict[str, Any], most_tokens: int
    ) -> dict[str, Any]:
        """See `LanguageModel`. One answer that does not fit is sent back with what is wrong with it."""
        return self.answer(instructions, [content_of(part) for part in parts], schema, most_tokens)[0]

    def cost(self, characters: int) -> float:
        return cost_of_text(self.name, characters)

    def answer(
        self, instructions: str, content: list[Content], schema: dict[str, Any], most_tokens: int
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The answer, and the API's `usage` object of the call that gave it."""
        text, usage = self.write(instructions, content, schema, most_tokens)
        try:
            return checked(text, schema), usage
        except InvalidAnswer as wrong:
            log.warning("an answer of %s does not fit: %s", self.name, wrong)
            repair = {"type": "text", "text": prompts.repair(text, str(wrong))}
        text, usage = self.write(instructions, [*content, repair], schema, most_tokens)
        try:
            return checked(text, schema), usage
        except InvalidAnswer as wrong:
            raise EngineError("PROVIDER_PROTOCOL", "The model's answer has the wrong form.") from wrong

    def write(
        self, instructions: str, content: list[Content], schema: dict[str, Any], most_tokens: int
    ) -> tuple[str, dict[str, Any]]:
        answer = self.api.ask(
            self.name,
            content,
            system_instruction=f"{instructions}\n\n{prompts.DATA}",
            response_format={"type": "text", "mime_type": "application/json", "schema": schema},
            generation_config={
                "max_output_tokens": min(MOST_TOKENS, most_tokens + THOUGHT_TOKENS),
                "thinking_level": thinking_level(self.name),
            },
        )
        if not answer.whole:
            raise EngineError("INCOMPLETE_OUTPUT", "The model's answer was cut off.")
        return answer.text, answer.usage


class InvalidAnswer(ValueError):
    """Text that is not JSON, or JSON that does not fit; says what is wrong, and where."""


def checked(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    try:
        value = strict_json(text)
    except ValueError as error:
        raise InvalidAnswer(f"It is not JSON: {error}.") from error
    wrong = next(jsonschema_rs.validator_for(schema).iter_errors(value), None)
    if wrong:
        raise InvalidAnswer(f"At /{'/'.join(map(str, wrong.instance_path))}: {wrong.message}.")
    return value


def thinking_level(model: str) -> str:
    """The least that a model offers: `minimal` is an error for the larger ones."""
    return "minimal" if "lite" in model else "low"


def content_of(part: Part) -> Content:
    if isinstance(part, Image):
        return inline(part.jpeg, "image", "image/jpeg")
    if isinstance(part, Sound):
        return inline(flac(part.samples), "audio", SOUND_MIME)
    return {"type": "text", "text": part}
