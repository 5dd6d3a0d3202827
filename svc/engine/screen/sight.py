"""What one look at the screen found, as it is kept between attempts of a run."""

from dataclasses import astuple, dataclass
from typing import Any

from svc.engine.screen.changes import MOVING_SHARE, RESTLESS_SHARE
from svc.engine.screen.lines import Line


@dataclass(frozen=True)
class Sight:
    """The screen from `start` to `end`, seconds: its lines in reading order.

    `busy` is the share of the picture that never rests; `dark`: there is nothing but black; `new`: it is not the
    picture that was seen before. `after_hole`: what came before could not be read.
    """

    start: float
    end: float
    lines: list[Line]
    busy: float = 0.0
    dark: bool = False
    new: bool = True
    after_hole: bool = False

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def restless(self) -> bool:
        return self.busy > RESTLESS_SHARE

    @property
    def moving(self) -> bool:
        return self.busy > MOVING_SHARE

    def to_part(self) -> dict[str, Any]:
        return {**vars(self), "lines": [astuple(line) for line in self.lines]}

    @classmethod
    def from_part(cls, part: dict[str, Any]) -> "Sight":
        return cls(**{**part, "lines": [Line(*line) for line in part["lines"]]})
