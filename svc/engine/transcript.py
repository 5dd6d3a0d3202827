"""What was said: words, segments and speakers, as the stages pass them on. Times are seconds from the start."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Word:
    """One word with its punctuation. `synthetic`: its times were interpolated."""

    text: str
    start: float
    end: float
    speaker: str | None = None
    confidence: float | None = None
    synthetic: bool = False


@dataclass
class Segment:
    """A sentence or a caption line. `words` is empty when only the segment's times are known.

    `open`: the source gave the line no end, and its end is an estimate.
    """

    start: float
    end: float
    text: str
    speaker: str | None = None
    words: list[Word] = field(default_factory=list)
    open: bool = False


@dataclass
class Coverage:
    """How much of the detected speech has text. `speech_seconds` is None when speech was not measured.

    `retries` counts the stretches that were recognised a second time.
    """

    transcribed_seconds: float
    speech_seconds: float | None = None
    repaired_windows: int = 0
    unrepaired_windows: int = 0
    gaps: list[tuple[float, float]] = field(default_factory=list)
    retries: int = 0

    def to_part(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_part(cls, part: dict[str, Any]) -> "Coverage":
        return cls(**part)


@dataclass
class Transcript:
    """All that was said. `origin` and `timing` are the contract's values, `glossary_fixes` its `glossaryFixes`."""

    origin: str
    timing: str
    segments: list[Segment]
    language: str | None = None
    model: str | None = None
    translated_from: str | None = None
    diarized: bool = False
    proofread: str = "none"
    speaker_labels: dict[str, str] = field(default_factory=dict)
    glossary_fixes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(segment.text for segment in self.segments)

    def to_part(self) -> dict[str, Any]:
        """Everything, for the store of finished parts; `from_part` is its inverse."""
        return asdict(self)

    @classmethod
    def from_part(cls, part: dict[str, Any]) -> "Transcript":
        segments = [Segment(**{**s, "words": [Word(**w) for w in s["words"]]}) for s in part["segments"]]
        return cls(**{**part, "segments": segments})
