"""Notes on what is on screen, window by window, and put together."""

from typing import Any

from svc.engine.models.gemini import prompts
from svc.engine.models.gemini.language import Gemini
from svc.engine.models.gemini.times import processing, spans_in
from svc.engine.seen import Scene, Seen, lines_of
from svc.engine.speech.spans import Span

FPS = 0.5  # frames a second that the model looks at, unless told otherwise
SECONDS_PER_SCENE = 30.0  # about as many scenes are asked for, unless told otherwise
MOST_TOKENS = 24_000
VALUES = ("none", "low", "high")
TEXT = {"type": "string"}
SCENE = {
    "type": "object",
    "properties": {"start": TEXT, "end": TEXT, "description": TEXT, "text": {"type": "array", "items": TEXT}},
    "required": ["start", "end", "description", "text"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {
        "overview": TEXT,
        "value": {"type": "string", "enum": [*VALUES]},
        "scenes": {"type": "array", "items": SCENE},
    },
    "required": ["overview", "value", "scenes"],
    "additionalProperties": False,
}

Notes = dict[str, Any]
"""What fits SCHEMA."""


def take_notes(
    model: Gemini, video: dict[str, Any], window: Span, fps: float, most: int, so_far: str
) -> tuple[Notes, dict[str, Any]]:
    """The notes on one window of a video, and the usage of the call. `so_far` is the overview of what came before."""
    shown = {"type": "video", **video, "processing": processing(window, fps)}
    question = {"type": "text", "text": prompts.screen(window, most, so_far)}
    return model.answer(prompts.SCREEN, [shown, question], SCHEMA, MOST_TOKENS)


def share_of(window: Span, most: int | None) -> int:
    """How many scenes to ask for in a window; all of the few that are wanted, for the rest may be one long scene."""
    usual = max(1, round((window[1] - window[0]) / SECONDS_PER_SCENE))
    return usual if most is None else min(usual, most)


def scenes_in(notes: Notes, window: Span) -> list[Scene]:
    """The scenes with their times in the whole media; those without a time are left out."""
    spans = spans_in(window, [(scene["start"], scene["end"]) for scene in notes["scenes"]])
    return [
        Scene(*span, scene["description"].strip(), [line.strip() for line in scene["text"] if line.strip()])
        for span, scene in zip(spans, notes["scenes"], strict=True)
        if span
    ]


def put_together(model: str, fps: float, noted: list[tuple[Span, Notes]], by_link: bool = False) -> Seen:
    """All windows' notes as one. The last overview speaks for the whole."""
    value = max((notes["value"] for _, notes in noted), key=VALUES.index)
    told = [scene for window, notes in noted if notes["value"] != "none" for scene in scenes_in(notes, window)]
    scenes = sorted(told, key=lambda scene: scene.start)
    return Seen(
        model=model,
        fps=fps,
        value=value,
        overview=noted[-1][1]["overview"].strip(),
        scenes=scenes,
        lines=lines_of(scenes),
        until=noted[-1][0][1],
        by_link=by_link,
    )
