"""JSON that fits a schema, made of what a question holds."""

import itertools
import re
from typing import Any

ITEMS = 2
END_OF_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
TEXT_LETTERS = 80


class Filler:
    """Numbers count up from the smallest allowed; texts are the question's sentences, one after another."""

    def __init__(self, text: str):
        self.sentences = itertools.cycle([part for part in END_OF_SENTENCE.split(text) if part.strip()] or ["Nothing."])

    def fill(self, schema: dict[str, Any], index: int = 0) -> Any:
        kind = schema.get("type")
        if "enum" in schema:
            return schema["enum"][-1]
        if kind == "object":
            return {key: self.fill(value, index) for key, value in schema.get("properties", {}).items()}
        if kind == "array":
            count = max(schema.get("minItems", 0), min(ITEMS, schema.get("maxItems", ITEMS)))
            return [self.fill(schema["items"], number) for number in range(count)]
        if kind in ("number", "integer"):
            return schema.get("minimum", 1) + index
        return kind == "true" if kind == "boolean" else next(self.sentences).strip()[:TEXT_LETTERS]
