"""What was on screen, as the stages pass it on. Times are seconds from the start."""

from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass
class Scene:
    """A stretch of what was on screen, in seconds; `text` are its lines, top to bottom, `description` one sentence."""

    start: float
    end: float
    description: str
    text: list[str]


@dataclass
class Seen:
    """What was on screen. `fps` is how often it was looked at, `until` the second up to which the notes go.

    `value`: none (nothing to note, no scenes), low or high. `lines`: text with the seconds it was first and last seen.
    `by_link`: the model opened the link itself.
    """

    model: str
    fps: float
    value: Literal["none", "low", "high"]
    overview: str
    scenes: list[Scene]
    lines: list[tuple[str, float, float]]
    until: float
    by_link: bool = False

    def to_part(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_part(cls, part: dict[str, Any]) -> "Seen":
        scenes, lines = [Scene(**scene) for scene in part["scenes"]], [tuple(line) for line in part["lines"]]
        return cls(**{**part, "scenes": scenes, "lines": lines})


def lines_of(scenes: list[Scene]) -> list[tuple[str, float, float]]:
    """Every line of text once, from the start of the first scene it is in to the end of the last."""
    found: dict[str, tuple[float, float]] = {}
    for scene in scenes:
        for line in scene.text:
            first, last = found.get(line, (scene.start, scene.end))
            found[line] = first, max(last, scene.end)
    return [(line, first, last) for line, (first, last) in found.items()]
