"""A language model whose answers a test writes."""

from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator

from svc.engine.models import roles

Script = Callable[[str, str], dict[str, Any]]


class Scripted:
    """A LanguageModel that answers by a function of its instructions and the text it is given; it keeps both."""

    name = "scripted-1"

    def __init__(self, script: Script, reads: int = 200_000):
        self.script, self.reads = script, reads
        self.told: list[str] = []
        self.given: list[str] = []

    def complete(self, instructions, parts, schema, most_tokens) -> dict[str, Any]:
        text = "\n".join(parts)
        self.told.append(instructions)
        self.given.append(text)
        assert len(text) + len(instructions) <= self.reads
        answer = self.script(instructions, text)
        asked = {name: answer[name] for name in schema["properties"] if name in answer}
        Draft202012Validator(schema).validate(asked)
        return asked

    def cost(self, characters: int) -> float:
        return characters / 1_000_000

    def plays(self, monkeypatch) -> "Scripted":
        """Takes the role of the service's language model."""
        monkeypatch.setattr(roles, "language_model", lambda run: self)
        return self
