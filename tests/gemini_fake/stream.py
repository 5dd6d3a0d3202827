"""An interaction as server-sent events, in pieces that end anywhere."""

import json
from collections.abc import Iterator
from typing import Any

from gemini_fake.faults import Fault

PIECE_BYTES = 61  # ends in the middle of lines and of characters
TEXT_PIECES = 3


def events(interaction: dict[str, Any], fault: Fault) -> list[dict[str, Any]]:
    """All events of an interaction, each with its id."""
    shown = {name: interaction[name] for name in ("id", "object", "model") if name in interaction}
    found: list[dict[str, Any]] = [
        {"event_type": "interaction.created", "interaction": {**shown, "status": "in_progress"}},
        {"event_type": "interaction.status_update", "interaction_id": shown.get("id", ""), "status": "in_progress"},
    ]
    for index, step in enumerate(interaction["steps"]):
        found += step_events(index, step)
    if fault.event:
        error = {"code": fault.code, "message": "The service took too long."}
        found.append({"event_type": "error", "error": error})
    elif fault.ending != "cut":
        found.append({"event_type": "interaction.completed", "interaction": without_steps(interaction)})
    return [{**event, "event_id": f"evt_{number}"} for number, event in enumerate(found, 1)]


def without_steps(interaction: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in interaction.items() if name != "steps"}


def step_events(index: int, step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"event_type": "step.start", "index": index, "step": {"type": step["type"]}}
    if step["type"] == "thought":
        yield delta(index, type="thought_signature", signature=step["signature"])
    for block in step.get("content", ()):
        length = max(1, -(-len(block["text"]) // TEXT_PIECES))
        for at in range(0, len(block["text"]), length):
            yield delta(index, type="text", text=block["text"][at : at + length])
        if block.get("annotations"):
            yield delta(index, type="text_annotation_delta", annotations=block["annotations"])
    yield {"event_type": "step.stop", "index": index}


def delta(index: int, **fields: Any) -> dict[str, Any]:
    return {"event_type": "step.delta", "index": index, "delta": fields}


def encoded(found: list[dict[str, Any]], fault: Fault) -> Iterator[bytes]:
    """The bytes of the events: comments in between, and pieces that end in the middle of things."""
    whole = b": heartbeat\n\n"
    for event in found:
        whole += f"event: {event['event_type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
    if fault.ending != "cut":
        whole += b"event: done\ndata: [DONE]\n\n"
    for at in range(0, len(whole), PIECE_BYTES):
        yield whole[at : at + PIECE_BYTES]
