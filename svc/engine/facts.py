"""What is known about a source before anything of it is transcribed."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Track:
    """Captions a source offers. `kind` is manual, auto or translated; `language` a BCP-47 tag or None."""

    language: str | None
    kind: str
    name: str | None = None


@dataclass
class Facts:
    """`source` and `meta` are the Context's objects. `duration` is seconds; what could not be learned is None."""

    source: dict[str, Any]
    meta: dict[str, Any]
    content_id: str
    duration: float | None = None
    has_audio: bool | None = None
    has_video: bool | None = None
    tracks: list[Track] = field(default_factory=list)
    mime: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Facts":
        return cls(**{**value, "tracks": [Track(**track) for track in value["tracks"]]})
