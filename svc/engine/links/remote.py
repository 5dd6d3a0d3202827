"""A media file on a server, read a block at a time, to learn its length and streams without downloading it."""

import io
from dataclasses import dataclass
from typing import Any

import av
from yt_dlp.networking import Request

from svc.core.errors import EngineError
from svc.engine.links.formats import Format
from svc.engine.links.guard import GuardedYoutubeDL
from svc.engine.media.container import FORMATS, PICTURE_BRANDS
from svc.engine.media.probe import duration_of, frame_rate, picture_stream, sane_sound

BLOCK = 64 << 10
BUDGET = 8 << 20
# Of a server that can't send parts only the beginning is read.
HEAD = 512 << 10
# Stands for the length of a file that is longer than its head, and is longer than any.
UNKNOWN_LENGTH = 1 << 50


@dataclass(frozen=True)
class Measure:
    """`duration` is seconds or None."""

    duration: float | None
    has_audio: bool
    has_video: bool
    width: int | None = None
    height: int | None = None
    fps: float | None = None


class OutOfReachError(OSError):
    """The part asked for is beyond what may be read."""


def measure(ydl: GuardedYoutubeDL, media: Format) -> Measure | None:
    """Length and streams of a format's file, or None when that would take too much reading.

    Raises URL_UNSUPPORTED for what is no audio or video, and whatever `urlopen` raises.
    """
    file = RemoteFile(ydl, media)
    options = {"protocol_whitelist": "none", "format_whitelist": FORMATS}
    try:
        with av.open(file, metadata_errors="replace", options=options) as container:
            if container.metadata.get("major_brand") in PICTURE_BRANDS:
                raise not_media()
            return measured(container)
    except OutOfReachError:
        return None
    except (av.error.FFmpegError, ValueError) as error:
        if file.cut_short:
            return None
        raise not_media() from error


def not_media() -> EngineError:
    return EngineError("URL_UNSUPPORTED", "What this link leads to is not audio or video.")


def measured(container: Any) -> Measure:
    picture = picture_stream(container)
    sound = any(sane_sound(stream) for stream in container.streams.audio)
    if not picture and not sound:
        raise not_media()
    context = picture.codec_context if picture else None
    return Measure(
        duration=duration_of(container),
        has_audio=sound,
        has_video=picture is not None,
        width=context.width if context else None,
        height=context.height if context else None,
        fps=frame_rate(picture) if picture else None,
    )


def length_of(header: str | None) -> int | None:
    """A length in bytes that a server tells, if it is one that a file can have."""
    if not header or not header.isascii() or not header.isdigit():
        return None
    return int(header) if int(header) <= UNKNOWN_LENGTH else None


class RemoteFile(io.RawIOBase):
    """A read-only file over HTTP range requests. `cut_short`: a read failed because the budget was used up."""

    def __init__(self, ydl: GuardedYoutubeDL, media: Format):
        self.ydl, self.media = ydl, media
        self.cut_short = False
        self._blocks: dict[int, bytes] = {}
        self._position = self._spent = 0
        self._size, self._ranges = self._open()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Fills from one block at most, as a raw file may. Raises OutOfReachError past the budget."""
        if self._position >= self._size:
            return 0
        number, start = divmod(self._position, BLOCK)
        data = self._block(number)[start : start + len(buffer)]
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def _open(self) -> tuple[int, bool]:
        """Reads the first block; says how long the file is and whether the server sends parts."""
        with self._request(0, BLOCK) as response:
            if response.status == 206:
                self._keep(0, response.read(BLOCK))
                total = (response.headers.get("Content-Range") or "").rpartition("/")[2]
                return length_of(total) or len(self._blocks[0]), True
            head = response.read(HEAD)
            for first in range(0, len(head), BLOCK):
                self._keep(first // BLOCK, head[first : first + BLOCK])
            if len(head) < HEAD:
                return len(head), False
            return length_of(response.headers.get("Content-Length")) or UNKNOWN_LENGTH, False

    def _block(self, number: int) -> bytes:
        if number not in self._blocks:
            if not self._ranges or self._spent >= BUDGET:
                self.cut_short = True
                raise OutOfReachError
            with self._request(number * BLOCK, BLOCK) as response:
                if response.status != 206:
                    self.cut_short = True
                    raise OutOfReachError
                self._keep(number, response.read(BLOCK))
        return self._blocks[number]

    def _keep(self, number: int, data: bytes) -> None:
        self._spent += len(data)
        self._blocks[number] = data

    def _request(self, first: int, length: int) -> Any:
        part = {"Range": f"bytes={first}-{first + length - 1}", "Accept-Encoding": "identity"}
        headers = {**(self.media.get("http_headers") or {}), **part}
        return self.ydl.urlopen(Request(self.media["url"], headers=headers))
