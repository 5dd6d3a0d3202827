"""Questions to a chat model: text and pictures in, JSON out that fits a schema, in the best way the server knows.

Servers differ in what they take, and say so only by refusing it. What was refused once is not asked for again in this
process.
"""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx
import jsonschema_rs

from svc.core.errors import EngineError
from svc.engine.models.openai.server import SHOWN_LETTERS, Declined, Server, chat_server, count, storable
from svc.engine.models.protocol import Image, Part, Sound
from svc.engine.models.upstream import CONNECT_SECONDS
from svc.engine.models.usage import Usage
from svc.engine.run import Run

CONTEXT_TOKENS = 32_000  # of a model whose server does not say
# Where servers say it in their list of models: vLLM, llama.cpp, gateways such as OpenRouter.
CONTEXT_KEYS = ("max_model_len", "n_ctx", "context_length", "max_context_length")
THINKING_TOKENS = 8192  # room beside the answer for a model that thinks first

FORMS = ("json_schema", "json_object with a schema", "json_object", "plain")
ABOUT_FORM = re.compile(r"response.?format|json.?schema|json.?object|grammar|guided|structured|schema")
ABOUT_LIMIT = re.compile(r"max_tokens|max_completion_tokens|completion tokens|output tokens|in the completion")
ABOUT_PICTURES = re.compile(r"image|vision|multi-?modal|must be a string|expected a string")
FINAL = {"AUTH", "QUOTA", "RATE_LIMIT", "CONTENT_BLOCKED"}  # not about how the question was put

THOUGHT = re.compile(r"^.*</think>", re.DOTALL)
FORM = "Answer with one JSON object, and nothing else, that is valid against this JSON Schema:\n"
REPAIR = "This answer cannot be used: {problem}. Give the whole answer again, as one JSON object valid against:\n"


class Unfit(Exception):
    """An answer that is not JSON or does not fit its schema; the message says why."""


@dataclass
class Manners:
    """What a server turned out to take: the best of FORMS by index, and a name for the answer's limit, if any.

    `thinks`: the model does so before it answers. `context`: how many tokens it reads at once.
    """

    form: int = 0
    limit: str | None = "max_tokens"
    thinks: bool = False
    context: int | None = None

    def give_way(self, declined: Declined) -> bool:
        """Asks for less from now on, if what the server says is about what it was asked for."""
        if declined.code in FINAL:
            return False
        if ABOUT_LIMIT.search(declined.said) and self.limit:
            renamed = self.limit == "max_tokens" and declined.code != "TOO_LARGE"
            self.limit = "max_completion_tokens" if renamed else None
            return True
        if declined.code != "TOO_LARGE" and ABOUT_FORM.search(declined.said) and self.form < len(FORMS) - 1:
            self.form += 1
            return True
        return False


@cache
def manners_of(base_url: str, model: str) -> Manners:
    return Manners()


class ChatModel:
    """A LanguageModel behind `/chat/completions`. Its prices are not known.

    A question may have as many characters as the context has tokens: so it fits in any script, and in most there is
    ample room for the answer.
    """

    def __init__(self, run: Run):
        self.run, self.server = run, chat_server(run)
        self.name = self.server.model
        self.manners = manners_of(str(self.server.client.base_url), self.name)
        self.manners.context = self.manners.context or listed_context(self.server) or CONTEXT_TOKENS
        self.reads = self.manners.context

    def complete(
        self, instructions: str, parts: Sequence[Part], schema: dict[str, Any], most_tokens: int
    ) -> dict[str, Any]:
        if any(isinstance(part, Sound) for part in parts):
            raise EngineError("INPUT_UNSUPPORTED", f"The model {self.name} takes no sound.")
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": f"{instructions}\n\n{FORM}{json.dumps(schema)}"},
            {"role": "user", "content": content(parts)},
        ]
        answer = self.ask(messages, schema, most_tokens)
        try:
            return checked(answer, schema)
        except Unfit as unfit:
            repair = REPAIR.format(problem=unfit) + json.dumps(schema)
            messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": repair}]
        try:
            return checked(self.ask(messages, schema, most_tokens), schema)
        except Unfit as unfit:
            raise EngineError("PROVIDER_PROTOCOL", f"The answer of {self.name} cannot be used: {unfit}.") from unfit

    def cost(self, characters: int) -> float:
        return 0.0

    def ask(self, messages: list[dict[str, Any]], schema: dict[str, Any], most_tokens: int) -> str:
        """The text of the answer. What the server refuses is left out, and the question asked again."""
        while True:
            try:
                body = self.server.post("chat/completions", json=self.question(messages, schema, most_tokens))
            except Declined as declined:
                if self.manners.give_way(declined):
                    continue
                raise self.told_apart(declined, messages) from declined
            self.run.spend(usage(body.get("usage")))
            choice = first_choice(body)
            if choice.get("finish_reason") == "length":
                if thought(choice, body) and not self.manners.thinks:
                    self.manners.thinks = True
                    continue
                raise EngineError("INCOMPLETE_OUTPUT", f"The answer of {self.name} was cut off.")
            return text_of(choice)

    def question(self, messages: list[dict[str, Any]], schema: dict[str, Any], most_tokens: int) -> dict[str, Any]:
        asked: dict[str, Any] = {"model": self.name, "messages": messages}
        if self.manners.limit:
            asked[self.manners.limit] = most_tokens + (THINKING_TOKENS if self.manners.thinks else 0)
        if form := response_format(FORMS[self.manners.form], schema):
            asked["response_format"] = form
        return asked

    def told_apart(self, declined: Declined, messages: list[dict[str, Any]]) -> EngineError:
        """A refusal of the pictures in a question is one of the kind of input."""
        pictured = isinstance(messages[1]["content"], list)
        if pictured and declined.code in ("PROVIDER_PROTOCOL", "TOOL_MISSING") and ABOUT_PICTURES.search(declined.said):
            return EngineError("INPUT_UNSUPPORTED", f"The model {self.name} takes no pictures.")
        return declined


def content(parts: Sequence[Part]) -> str | list[dict[str, Any]]:
    """The parts of a question as a message's content: without pictures plain text, which all servers take."""
    if all(isinstance(part, str) for part in parts):
        return "\n\n".join(map(str, parts))
    return [content_part(part) for part in parts]


def content_part(part: Part) -> dict[str, Any]:
    if isinstance(part, Image):
        data = base64.b64encode(part.jpeg).decode()
        return {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{data}"}}
    return {"type": "text", "text": part}


def response_format(form: str, schema: dict[str, Any]) -> dict[str, Any] | None:
    forms: dict[str, dict[str, Any]] = {
        "json_schema": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": schema},
        },
        "json_object with a schema": {"type": "json_object", "schema": schema},
        "json_object": {"type": "json_object"},
    }
    return forms.get(form)


def first_choice(body: dict[str, Any]) -> dict[str, Any]:
    """The answer's only choice. Raises PROVIDER_PROTOCOL without one, CONTENT_BLOCKED when the model declined."""
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        raise EngineError("PROVIDER_PROTOCOL", "The model server's answer has no message.")
    if choice.get("finish_reason") == "content_filter" or choice["message"].get("refusal"):
        raise EngineError("CONTENT_BLOCKED")
    return choice


def text_of(choice: dict[str, Any]) -> str:
    """What the model answered, without what it thought on the way."""
    said = choice["message"].get("content") or ""
    if isinstance(said, list):
        said = "".join(part.get("text", "") for part in said if isinstance(part, dict))
    return THOUGHT.sub("", str(said)).strip()


def thought(choice: dict[str, Any], body: dict[str, Any]) -> bool:
    message = choice["message"]
    aloud = message.get("reasoning_content") or message.get("reasoning")
    return bool(aloud or "<think>" in str(message.get("content")) or usage(body.get("usage")).thought)


def checked(answer: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The JSON object in an answer. Raises Unfit."""
    try:
        value, _ = json.JSONDecoder(parse_constant=no_number).raw_decode(answer, answer.index("{"))
    except (ValueError, RecursionError) as error:
        raise Unfit("it is not JSON") from error
    misfit = next(jsonschema_rs.Draft202012Validator(schema).iter_errors(value), None)
    if misfit:
        place = ".".join(map(str, misfit.instance_path)) or "the top"
        raise Unfit(f"at {place}, {misfit.message[:SHOWN_LETTERS]}")
    return storable(value)


def no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def usage(reported: Any) -> Usage:
    """What a call used. The completion's tokens include those of its thoughts; a price is not known."""
    out = count(reported, "completion_tokens")
    thoughts = min(out, count(reported, "completion_tokens_details", "reasoning_tokens"))
    return Usage(tokens_in=count(reported, "prompt_tokens"), tokens_out=out - thoughts, thought=thoughts, usd=None)


def listed_context(server: Server) -> int | None:
    """The size of the model's context, if the server's list of models tells."""
    try:
        listed = server.client.get("models", timeout=CONNECT_SECONDS).json()["data"]
        entry = next(entry for entry in listed if server.model in (entry["id"], *entry.get("aliases", ())))
        told = {**entry, **(entry.get("meta") or {})}
    except (httpx.HTTPError, ValueError, LookupError, TypeError, AttributeError, StopIteration):
        return None
    return next((told[key] for key in CONTEXT_KEYS if isinstance(told.get(key), int) and told[key] > 0), None)
