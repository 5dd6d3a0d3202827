"""What calls to models used: tokens, and their price in US dollars."""

import json
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Usage:
    """`audio_in` and `video_in` are parts of `tokens_in`. `usd` is None when a price is not known."""

    tokens_in: int = 0
    tokens_out: int = 0
    thought: int = 0
    audio_in: int = 0
    video_in: int = 0
    usd: Decimal | None = Decimal(0)

    def __add__(self, other: "Usage") -> "Usage":
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in COUNTS}, usd=usd)

    def since(self, earlier: "Usage") -> "Usage":
        """What came on top of an earlier sum."""
        usd = None if self.usd is None or earlier.usd is None else self.usd - earlier.usd
        return Usage(**{name: getattr(self, name) - getattr(earlier, name) for name in COUNTS}, usd=usd)

    def tokens(self) -> dict[str, int]:
        """The contract's `tokens` object."""
        return {
            "in": self.tokens_in,
            "out": self.tokens_out,
            "thought": self.thought,
            "audioIn": self.audio_in,
            "videoIn": self.video_in,
        }

    def to_part(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in COUNTS}
        return counts | {"usd": None if self.usd is None else str(self.usd)}

    @classmethod
    def from_part(cls, part: dict[str, Any]) -> "Usage":
        return cls(**{**part, "usd": None if part["usd"] is None else Decimal(part["usd"])})


COUNTS = [field.name for field in fields(Usage) if field.name != "usd"]


def note(folder: Path, usage: Usage) -> None:
    """Adds to what the runs of this work folder used, so that it outlives the process that used it."""
    with notes(folder).open("a", encoding="utf-8") as file:
        file.write(json.dumps(usage.to_part()) + "\n")


def noted(folder: Path) -> Usage:
    """All that the runs of this work folder used."""
    lines = notes(folder).read_text("utf-8").splitlines() if notes(folder).exists() else []
    return sum((Usage.from_part(json.loads(line)) for line in lines), Usage())


def notes(folder: Path) -> Path:
    return folder / "usage.jsonl"


def dollars(usd: Decimal | None) -> float | None:
    """US dollars as they are shown, to a millionth."""
    return None if usd is None else float(round(usd, 6))
