"""What a request asks: its texts, and its media decoded."""

import base64
import io
from dataclasses import dataclass, field
from typing import Any

import av
import numpy as np

RATE = 16_000
DEFAULT_FPS = 1.0


@dataclass
class Media:
    """A part that is not text. `start` and `end` are the seconds of it that are looked at; `fps` only for video.

    `data` is empty for a link; `audible`: it has sound.
    """

    kind: str
    data: bytes = b""
    uri: str = ""
    start: float = 0.0
    end: float = 0.0
    fps: float = DEFAULT_FPS
    high: bool = False
    audible: bool = False

    @property
    def seconds(self) -> float:
        return self.end - self.start

    def samples(self) -> np.ndarray:
        """The sound as int16 samples, mono, 16 kHz; exact where it came so."""
        with av.open(io.BytesIO(self.data)) as container:
            resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
            frames = [piece for frame in container.decode(audio=0) for piece in resampler.resample(frame)]
            frames += resampler.resample(None)
        return np.concatenate([frame.to_ndarray()[0] for frame in frames] or [np.zeros(0, np.int16)])


@dataclass
class Question:
    """A checked request. `text` is all its text parts; `schema` that of the answer, if one is asked for."""

    model: str
    body: dict[str, Any]
    text: str = ""
    media: list[Media] = field(default_factory=list)
    schema: dict[str, Any] | None = None

    @property
    def instructions(self) -> str:
        return self.body.get("system_instruction", "")

    @property
    def config(self) -> dict[str, Any]:
        return self.body.get("generation_config") or {}

    @property
    def window(self) -> Media | None:
        """The first part that has a length."""
        return next((media for media in self.media if media.end), None)


def media_of(part: dict[str, Any], data: bytes, seconds: float, audible: bool) -> Media:
    """The media of a part; `seconds` is its whole length (0 for pictures)."""
    processing = part.get("processing")
    processing = processing if isinstance(processing, dict) else {}
    return Media(
        part["type"],
        data,
        part.get("uri", ""),
        start=offset(processing.get("start_offset"), 0.0),
        end=min(seconds, offset(processing.get("end_offset"), seconds)),
        fps=processing.get("fps", DEFAULT_FPS),
        high=part.get("resolution") in ("high", "ultra_high"),
        audible=audible,
    )


def offset(text: str | None, default: float) -> float:
    return default if text is None else float(text.removesuffix("s"))


def measure(kind: str, data: bytes) -> tuple[float, bool]:
    """The length of media in seconds, and whether it has sound."""
    if kind not in ("audio", "video"):
        return 0.0, False
    with av.open(io.BytesIO(data)) as container:
        return (container.duration or 0) / av.time_base, bool(container.streams.audio)


def inline_data(part: dict[str, Any]) -> bytes:
    return base64.b64decode(part["data"], validate=True)
