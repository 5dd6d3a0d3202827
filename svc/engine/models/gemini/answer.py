"""What comes back from a model, put together from the events of a stream or read from one JSON object."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from svc.core.errors import EngineError
from svc.engine.models.gemini.faults import fault_of

ENDED = {"completed", "incomplete", "requires_continuation"}
FAULTS = {"cancelled": "aborted", "budget_exceeded": "budget_exceeded"}


@dataclass
class Block:
    """A stretch of text, and what was noted on it; the notes' indexes count its UTF-8 bytes."""

    text: str = ""
    annotations: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Answer:
    """`status` is the API's; empty until the answer has ended. `usage` is the API's object."""

    status: str = ""
    blocks: list[Block] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    token: str | None = None
    errors: list[dict[str, Any]] = field(default_factory=list)
    _open: dict[int, Block | None] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.blocks)

    @property
    def whole(self) -> bool:
        return self.status == "completed"

    def followed_by(self, more: "Answer") -> "Answer":
        return Answer(more.status, self.blocks + more.blocks, more.usage, more.token)

    def check(self) -> None:
        """Raises the EngineError of an answer that ended badly. One that was cut short is no error here."""
        if self.errors or self.status == "failed":
            raise fault_of(self.errors[0] if self.errors else {"code": "internal"}).error()
        if self.status not in ENDED:
            raise fault_of({"code": FAULTS.get(self.status, self.status), "message": self.status}).error()

    def take(self, event: dict[str, Any]) -> None:
        """One event of a stream. Kinds that are not known here are passed over."""
        kind, index = event.get("event_type"), event.get("index", 0)
        if kind == "step.start":
            self._open[index] = self.begin_step(event.get("step") or {})
        elif kind == "step.delta":
            self.take_delta(index, event.get("delta") or {})
        elif kind == "interaction.status_update":
            self.token = event.get("continuation_token") or self.token
        elif kind == "interaction.completed":
            self.end(event.get("interaction") or {})
        elif kind == "error":
            raise fault_of(event.get("error") or {}).error()

    def take_delta(self, index: int, delta: dict[str, Any]) -> None:
        if index not in self._open:
            self._open[index] = self.begin_step({"type": "model_output"})
        block = self._open[index]
        if block is None:
            return
        if delta.get("type") == "text":
            block.text += delta.get("text", "")
        elif delta.get("type") == "text_annotation_delta":
            block.annotations += delta.get("annotations") or []

    def take_whole(self, interaction: dict[str, Any]) -> None:
        """An answer that came in one piece."""
        for step in interaction.get("steps") or ():
            self.begin_step(step)
        self.end(interaction)

    def begin_step(self, step: dict[str, Any]) -> Block | None:
        """The block that a step's text goes to; None for steps that are not the answer (thoughts, the question)."""
        if step.get("error"):
            self.errors.append(step["error"])
        if step.get("type") == "user_input":
            self.blocks.clear()
        if step.get("type") != "model_output":
            return None
        contents = [content for content in step.get("content") or () if content.get("type") == "text"]
        found = [Block(content.get("text") or "", list(content.get("annotations") or ())) for content in contents]
        self.blocks += found or [Block()]
        return self.blocks[-1]

    def end(self, interaction: dict[str, Any]) -> None:
        self.status = interaction.get("status") or ""
        self.usage = interaction.get("usage") or {}
        self.token = interaction.get("continuation_token") or self.token
        self.errors += interaction.get("errors") or []


@contextmanager
def well_formed() -> Iterator[None]:
    """For what reads an answer: one of another shape than the API's is PROVIDER_PROTOCOL, wherever that shows."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise EngineError("PROVIDER_PROTOCOL", "The model provider's answer has an unknown form.") from error


def no_end() -> EngineError:
    return EngineError("NETWORK", "The model provider's answer broke off.")
