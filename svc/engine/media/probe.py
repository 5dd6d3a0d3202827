"""What a media file is: its length, streams, size, tags and subtitle tracks, judged from its bytes alone."""

from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import av
from av.container import InputContainer
from av.stream import Disposition

from svc.core.errors import EngineError
from svc.engine.media.container import open_media

MAX_PIXELS = 8192 * 8192
MIN_SAMPLE_RATE, MAX_SAMPLE_RATE = 1_000, 768_000
MAX_CHANNELS = 64
MAX_SECONDS = 48 * 3600
MAX_FPS = 1000
FIRST_PACKETS = 30  # among which there is a first picture
MAX_TAG = 500  # characters

TEXT_SUBTITLES = {"mov_text", "subrip", "srt", "webvtt", "ass", "ssa", "text"}

# FFmpeg's name of a format: its usual name, and the MIME type with and without a picture.
CONTAINERS = {
    "mov,mp4,m4a,3gp,3g2,mj2": ("mp4", "video/mp4", "audio/mp4"),
    "matroska,webm": ("mkv", "video/x-matroska", "audio/x-matroska"),
    "avi": ("avi", "video/x-msvideo", "video/x-msvideo"),
    "mpegts": ("ts", "video/mp2t", "video/mp2t"),
    "mpeg": ("mpeg", "video/mpeg", "audio/mpeg"),
    "flv": ("flv", "video/x-flv", "video/x-flv"),
    "asf": ("asf", "video/x-ms-wmv", "audio/x-ms-wma"),
    "ogg": ("ogg", "video/ogg", "audio/ogg"),
    "wav": ("wav", "audio/wav", "audio/wav"),
    "mp3": ("mp3", "audio/mpeg", "audio/mpeg"),
    "flac": ("flac", "audio/flac", "audio/flac"),
    "aac": ("aac", "audio/aac", "audio/aac"),
    "ac3": ("ac3", "audio/ac3", "audio/ac3"),
    "aiff": ("aiff", "audio/aiff", "audio/aiff"),
    "amr": ("amr", "audio/amr", "audio/amr"),
    "caf": ("caf", "audio/x-caf", "audio/x-caf"),
}
MAY_BE_TURNED = {"mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"}
QUICKTIME = ("mov", "video/quicktime", "audio/quicktime")
WEBM = ("webm", "video/webm", "audio/webm")


@dataclass(frozen=True)
class SubtitleTrack:
    """One text subtitle stream: its index in the container, and what the container says about it."""

    index: int
    codec: str
    language: str | None
    default: bool


@dataclass(frozen=True)
class Probe:
    """`duration` is seconds, or None when only decoding can tell. `has_video` means moving pictures, not cover art."""

    duration: float | None
    has_audio: bool
    has_video: bool
    container: str
    mime: str
    width: int | None = None
    height: int | None = None
    fps: float | None = None
    title: str | None = None
    artist: str | None = None
    date: str | None = None
    subtitles: tuple[SubtitleTrack, ...] = ()


def probe(path: Path | str) -> Probe:
    """Reads headers, and one packet where they name no length.

    Raises INPUT_NOT_FOUND, INPUT_UNSUPPORTED or INPUT_CORRUPT.
    """
    path = Path(path)
    with open_media(path) as container:
        video = picture_stream(container)
        audio = [stream for stream in container.streams.audio if sane_sound(stream)]
        if not audio and not video:
            raise EngineError("INPUT_UNSUPPORTED", "There is no audio or video in this file.")
        duration = duration_of(container)
        if duration is None and not any(packet.size for packet in container.demux()):
            raise EngineError("INPUT_CORRUPT", "There is nothing in this file.")
        width, height = upright_size(container, video) if video else (None, None)
        name, video_mime, audio_mime = container_kind(container, path)
        return Probe(
            duration=duration,
            has_audio=bool(audio),
            has_video=video is not None,
            container=name,
            mime=video_mime if video else audio_mime,
            width=width,
            height=height,
            fps=frame_rate(video) if video else None,
            title=tag(container, "title"),
            artist=tag(container, "artist") or tag(container, "album_artist"),
            date=tag(container, "date") or tag(container, "creation_time"),
            subtitles=tuple(text_subtitles(container)),
        )


def picture_stream(container: InputContainer) -> av.VideoStream | None:
    """The first stream of moving pictures. Refuses pictures too large to decode."""
    for stream in container.streams.video:
        pixels = stream.codec_context.width * stream.codec_context.height if stream.codec_context else 0
        if pixels > MAX_PIXELS:
            raise EngineError("INPUT_UNSUPPORTED", "The picture is too large.", hint="Send a smaller video.")
        if pixels > 0 and not stream.disposition & Disposition.attached_pic:
            return stream
    return None


def upright_size(container: InputContainer, video: av.VideoStream) -> tuple[int, int]:
    """Width and height as players show them: a phone held another way says so beside its pictures."""
    width, height = video.codec_context.width, video.codec_context.height
    if container.format.name in MAY_BE_TURNED:
        with suppress(av.error.FFmpegError, IndexError):  # what is damaged is judged by those that decode it
            for packet in islice(container.demux(video), FIRST_PACKETS):
                for picture in video.codec_context.decode(packet):
                    return (height, width) if round(picture.rotation / 90) % 2 else (width, height)
    return width, height


def sane_sound(stream: av.AudioStream) -> bool:
    """Whether there is a decoder and the header names a rate. Refuses rates and channels that no recording has."""
    if stream.codec_context is None or stream.codec_context.sample_rate <= 0:
        return False
    sane_rate = MIN_SAMPLE_RATE <= stream.codec_context.sample_rate <= MAX_SAMPLE_RATE
    if not sane_rate or stream.codec_context.channels > MAX_CHANNELS:
        raise EngineError("INPUT_UNSUPPORTED", "The sound has an unusual sample rate or number of channels.")
    return True


def duration_of(container: InputContainer) -> float | None:
    seconds = (container.duration or 0) / av.time_base
    if seconds > MAX_SECONDS:
        raise EngineError("INPUT_UNSUPPORTED", f"The file says it is longer than {MAX_SECONDS // 3600} hours.")
    return seconds if seconds > 0 else None


def frame_rate(stream: av.VideoStream) -> float | None:
    rate = stream.average_rate or stream.base_rate
    return round(float(rate), 3) if rate and 0 < rate <= MAX_FPS else None


def container_kind(container: InputContainer, path: Path) -> tuple[str, str, str]:
    name = container.format.name
    if name == "matroska,webm":
        with path.open("rb") as file:
            return WEBM if b"webm" in file.read(64) else CONTAINERS[name]
    if container.metadata.get("major_brand") == "qt  ":
        return QUICKTIME
    return CONTAINERS.get(name, (name, "video/" + name, "audio/" + name))


def tag(container: InputContainer, name: str) -> str | None:
    """A tag of the container, or of its first stream that has it (Ogg keeps them there), as one printable line."""
    for metadata in (container.metadata, *(stream.metadata for stream in container.streams)):
        for key, value in metadata.items():
            line = " ".join("".join(c if c.isprintable() else " " for c in value).split())
            if key.lower() == name and line:
                return line[:MAX_TAG]
    return None


def text_subtitles(container: InputContainer) -> list[SubtitleTrack]:
    return [
        SubtitleTrack(
            stream.index,
            stream.codec_context.name,
            stream.metadata.get("language"),
            bool(stream.disposition & Disposition.default),
        )
        for stream in container.streams.subtitles
        if stream.codec_context and stream.codec_context.name in TEXT_SUBTITLES
    ]
