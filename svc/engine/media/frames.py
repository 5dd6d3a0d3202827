"""The picture of a media file, looked at a few times a second: upright, with square pixels, on the file's clock."""

import io
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from types import TracebackType
from typing import Literal

import av
import numpy as np
from av.container import InputContainer
from av.video.reformatter import Interpolation, VideoReformatter
from PIL import Image

from svc.core.errors import EngineError
from svc.engine.media.container import open_media
from svc.engine.media.packets import Packets
from svc.engine.media.probe import duration_of, frame_rate, picture_stream

FPS = 1.0  # how often a second one looks, unless told otherwise
LONGEST_SIDE = 1920  # pixels; larger pictures are made smaller
SMALL_SIDE = 320  # pixels of the longer side of the grey copy

SMOOTH_RATE, SMOOTH_PACKETS = 10, 8  # so many frames a second and look, and one more or less is not missed
HEAVY = 1920 * 1080 * 30 * 1800  # pixels to decode: half an hour of full HD; beyond, key frames have to do
WIDEST_GAP = 10.5  # seconds between them, at most

KEY_FRAME_WAIT = 60.0  # seconds after an error; some files have no key frame but the first
BLIND_SECONDS = 60.0  # a time so far past the end is no time
CUT_SHORT = 5.0  # seconds that may be missing at the end of a whole file
JPEG_QUALITY = 85


@dataclass(frozen=True)
class Frame:
    """A picture at `time` seconds as the bytes of a JPEG file."""

    time: float
    jpeg: bytes


@dataclass(frozen=True)
class Sample:
    """What is on screen at `time` seconds; `gray` is a small copy, uint8, as upright as the picture itself.

    `lost_since`: the second from which on, until now, nothing could be read.
    """

    time: float
    gray: np.ndarray
    picture: av.VideoFrame
    quarter_turns: int
    lost_since: float | None = None

    def pixels(self, format: str = "rgb24") -> np.ndarray:
        """The picture as uint8 values, height x width x 3."""
        return np.ascontiguousarray(np.rot90(self.picture.to_ndarray(format=format), self.quarter_turns))

    def frame(self) -> Frame:
        file = io.BytesIO()
        Image.fromarray(self.pixels()).save(file, "JPEG", quality=JPEG_QUALITY)
        return Frame(self.time, file.getvalue())


class Pictures:
    """A file's moving picture: `with Pictures(path, fps) as pictures: for sample in pictures.samples(): ...`

    `fps` is how often one looks, afterwards how often it was possible. What cannot be decoded is passed over; `until`
    is the second up to which there was something to see, the file's end where nothing is missing. Raises the INPUT_
    errors; INPUT_UNSUPPORTED where there is no picture (cover art is none).
    """

    def __init__(self, path: Path, fps: float | None = None):
        self.container: InputContainer = open_media(path)
        stream = picture_stream(self.container)
        if stream is None:
            self.container.close()
            raise EngineError("INPUT_UNSUPPORTED", "There is no picture in this media.", hint="Use mode audio.")
        self.stream = stream
        self.packets = Packets(self.container)
        self.declared = duration_of(self.container)
        self.fps, self.keys_only = self.pace(fps)
        stream.codec_context.thread_count = 1
        self.latest: deque[float] = deque(maxlen=SMOOTH_PACKETS)  # seconds, of the pictures about to be decoded
        self.scaler = VideoReformatter()
        self.small_scaler = VideoReformatter()
        self.last_seen: float | None = None  # seconds, of the last picture
        self.failing = False  # since the last picture
        self.hole = False  # behind the last picture

    def __enter__(self) -> "Pictures":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.container.close()

    @cached_property
    def rate(self) -> float:
        return frame_rate(self.stream) or 25.0

    def pace(self, fps: float | None) -> tuple[float, bool]:
        """How often to look, and whether only at key frames: for a long video unless that were too seldom."""
        codec = self.stream.codec_context
        if codec.width * codec.height * self.rate * (self.declared or 0) <= HEAVY:
            return fps or FPS, False
        gap = self.key_frame_gap()
        if gap is None or gap > (1 / fps if fps else WIDEST_GAP):
            return fps or FPS, False
        return fps or min(FPS, round(1 / gap, 3)), True

    def key_frame_gap(self) -> float | None:
        """The longest time without a key frame, in seconds, by reading through the file without decoding."""
        times: list[int] = []
        with suppress(av.error.FFmpegError):  # a damaged end is met again while decoding
            for packet in self.container.demux(self.stream):
                if packet.is_keyframe and packet.pts is not None:
                    times.append(packet.pts)
        self.go_to(0.0)
        if len(times) < 2 or not self.stream.time_base:
            return None
        ends = [*times, times[0] + int((self.declared or 0) / self.stream.time_base)]
        return float(max(b - a for a, b in pairwise(ends)) * self.stream.time_base)

    def skippable(self, packet: av.Packet) -> Literal["DEFAULT", "NONREF", "NONKEY"]:
        """What need not be decoded: where pictures are plenty, those that no other depends on."""
        if packet.pts is not None and packet.time_base is not None:
            self.latest.append(float(packet.pts * packet.time_base))
        if self.keys_only:
            return "NONKEY"
        plenty = max(self.latest) - min(self.latest) < SMOOTH_PACKETS / SMOOTH_RATE / max(1.0, self.fps)
        return "NONREF" if plenty and len(self.latest) == SMOOTH_PACKETS else "DEFAULT"

    @property
    def until(self) -> float:
        seen = self.last_seen or 0.0
        if self.declared is None:
            return seen
        whole = not self.failing and self.packets.reached >= self.declared - CUT_SHORT
        return self.declared if whole else min(seen, self.declared)

    def samples(self, start: float = 0.0) -> Iterator[Sample]:
        """What is on screen at `start` and every 1/fps seconds from then on; and at last the last picture.

        Raises INPUT_CORRUPT when there is nothing to see at all.
        """
        tick = int(np.ceil(start * self.fps))
        sample, shown, taken, lost_since = None, None, True, None
        for time, picture in self.pictures_from(start):
            until = self.shown_until(time)
            while shown is not None and tick / self.fps < until:
                if sample is None or not taken:
                    sample = self.sample(tick / self.fps, shown)
                taken = True
                yield replace(sample, time=tick / self.fps, lost_since=lost_since)
                tick, lost_since = tick + 1, None
            if until < time:
                if shown is not None and not taken:
                    yield replace(self.sample(self.last_seen or 0.0, shown), lost_since=lost_since)
                lost_since = until
            tick = max(tick, int(np.ceil(time * self.fps)))
            shown, taken, self.last_seen, self.hole = picture, False, time, False
        if shown is None:
            raise EngineError("INPUT_CORRUPT", "The picture in this file cannot be decoded.")
        if not taken:
            yield replace(self.sample(self.last_seen or 0.0, shown), lost_since=lost_since)

    def shown_until(self, time: float) -> float:
        """The second until which the last picture is seen when the next one is there at `time`: not through a hole."""
        if not self.hole or self.last_seen is None or time - self.last_seen <= 1 / self.fps:
            return time
        return self.last_seen + 1 / self.rate

    def pictures_from(self, start: float) -> Iterator[tuple[float, av.VideoFrame]]:
        """From the last key frame before `start`; all of them in a file that cannot tell where that is."""
        if start:
            self.go_to(start)
            pictures = self.pictures()
            first = next(pictures, None)
            if first and first[0] <= start:
                return chain([first], pictures)
            self.go_to(0.0)
        return self.pictures()

    def go_to(self, start: float) -> None:
        with suppress(av.error.FFmpegError):
            self.container.seek(int((start + self.packets.origin) * av.time_base))

    def pictures(self) -> Iterator[tuple[float, av.VideoFrame]]:
        """Every picture that can be decoded, with its time; times only go forward."""
        last, end = -1.0, (self.declared or float("inf")) + BLIND_SECONDS
        for picture in self.decoded():
            time = last + 1 / self.rate if picture.time is None else self.time_of(picture)
            if last < time <= end:
                last = time
                yield time, picture

    def decoded(self) -> Iterator[av.VideoFrame]:
        codec, holes = self.stream.codec_context, self.packets.holes
        for packet in self.packets:
            if self.packets.holes > holes:
                holes = self.packets.holes
                self.lose(flush=True)
            if packet.stream_index != self.stream.index:
                continue
            codec.skip_frame = self.skippable(packet)
            try:
                for picture in codec.decode(packet):
                    if self.is_clean(picture):
                        yield picture
            except av.error.EOFError:
                return
            except av.error.FFmpegError:
                self.lose(flush=True)
        self.failing = self.failing or self.packets.failed

    def lose(self, flush: bool = False) -> None:
        """Something could not be read: what the decoder makes of the pictures that build on it is garbage."""
        if flush:
            self.stream.codec_context.flush_buffers()
        self.failing = self.hole = True

    def is_clean(self, picture: av.VideoFrame) -> bool:
        """After an error, no picture is until the next key frame; or a good while later, for there may be none."""
        if picture.is_corrupt:
            self.lose()
        elif picture.key_frame or self.time_of(picture) - (self.last_seen or 0.0) > KEY_FRAME_WAIT:
            self.failing = False
        return not self.failing

    def time_of(self, picture: av.VideoFrame) -> float:
        return 0.0 if picture.time is None else max(0.0, picture.time - self.packets.origin)

    def sample(self, time: float, shown: av.VideoFrame) -> Sample:
        aspect = self.stream.sample_aspect_ratio or 1
        wide, high = shown.width * max(1.0, float(aspect)), shown.height * max(1.0, 1 / float(aspect))
        shrink = min(1.0, LONGEST_SIDE / max(wide, high))
        picture = scaled(self.scaler, shown, wide * shrink, high * shrink)
        shrink = SMALL_SIDE / max(wide, high)
        small = scaled(self.small_scaler, picture, wide * shrink, high * shrink, "gray")
        turns = round(shown.rotation / 90) % 4
        return Sample(time, np.ascontiguousarray(np.rot90(small.to_ndarray(), turns)), picture, turns)


def scaled(
    scaler: VideoReformatter, picture: av.VideoFrame, width: float, height: float, format: str | None = None
) -> av.VideoFrame:
    size = max(2, round(width)), max(2, round(height))
    if size == (picture.width, picture.height) and format is None:
        return picture
    return scaler.reformat(picture, *size, format=format, interpolation=Interpolation.AREA, threads=1)
