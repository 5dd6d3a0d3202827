"""JSON that fits a schema, made of what the question holds."""

import itertools
import re
from typing import Any

from gemini_fake.question import Question
from gemini_fake.speech import Word

TIME_NAMES = ("start", "end", "time", "first", "last")
PHRASE_WORDS = 8
ITEMS = 2
END_OF_SENTENCE = re.compile(r"(?<=[.!?])\s+")


class Filler:
    """`heard` are the words of the question's sound, on the clock of its window; `absolute`: times of the whole media
    rather than of the window."""

    def __init__(self, question: Question, heard: list[Word], absolute: bool):
        self.question, self.heard = question, heard
        self.window = question.window
        self.shift = self.window.start if self.window and absolute else 0.0
        texts = [part.strip() for part in END_OF_SENTENCE.split(question.text) if part.strip()]
        self.sentences = itertools.cycle(texts or ["Nothing."])

    def fill(self, schema: dict[str, Any], name: str = "", span: tuple[float, float] | None = None) -> Any:
        kind = schema.get("type")
        kind = next(k for k in kind if k != "null") if isinstance(kind, list) else kind
        if "enum" in schema:
            return schema["enum"][-1]
        if kind == "object":
            return {key: self.fill(value, key, span) for key, value in schema.get("properties", {}).items()}
        if kind == "array":
            return self.items(schema)
        if kind in ("number", "integer"):
            value = span[name != "start"] if span and name in TIME_NAMES else schema.get("minimum", 0)
            return int(value) if kind == "integer" else value
        return kind == "true" if kind == "boolean" else self.string(schema, name, span)

    def items(self, schema: dict[str, Any]) -> list[Any]:
        item = schema.get("items", {})
        timed = item.get("type") == "object" and "start" in item.get("properties", {})
        if timed and self.heard and "text" in item["properties"]:
            return [self.phrase(item, group) for group in groups(self.heard)]
        count = max(schema.get("minItems", 0), min(ITEMS, schema.get("maxItems", ITEMS)))
        return [self.fill(item, "item", self.span(index, count) if timed else None) for index in range(count)]

    def phrase(self, item: dict[str, Any], words: list[Word]) -> dict[str, Any]:
        span = words[0][1] + self.shift, words[-1][2] + self.shift
        return self.fill(item, "item", span) | {"text": " ".join(text for text, _, _ in words)}

    def span(self, index: int, count: int) -> tuple[float, float]:
        seconds = self.window.seconds if self.window else float(count)
        return self.shift + seconds * index / count, self.shift + seconds * (index + 1) / count

    def string(self, schema: dict[str, Any], name: str, span: tuple[float, float] | None) -> str:
        if span and name in TIME_NAMES:
            return clock(span[name != "start"])
        if name == "language":
            return "en"
        return next(self.sentences)[: schema.get("maxLength")]


def groups(words: list[Word]) -> list[list[Word]]:
    return [words[at : at + PHRASE_WORDS] for at in range(0, len(words), PHRASE_WORDS)]


def clock(seconds: float) -> str:
    """Minutes and seconds, as the models write them."""
    return f"{int(seconds) // 60:02}:{int(seconds) % 60:02}"
