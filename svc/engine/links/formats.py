"""Which of a video's formats to fetch: the cheapest that serves the purpose."""

from collections.abc import Iterable
from typing import Any

from yt_dlp.utils import determine_protocol

from svc.core.errors import EngineError

Format = dict[str, Any]

PROTOCOLS = {"http", "https", "m3u8", "m3u8_native", "http_dash_segments"}
# Enough for speech; a smaller bit rate is taken only when there is nothing else.
SPEECH_KBPS = 48
# Enough to read text on screen.
SCREEN_HEIGHT = 720


def all_formats(info: dict[str, Any]) -> list[Format]:
    """The formats, yt-dlp's best last. A direct link is its own only format."""
    return info.get("formats") or [info]


def audio_format(info: dict[str, Any], with_picture: bool = False) -> Format:
    """The smallest sound good enough for speech; without sound on its own, the smallest video that carries it.

    `with_picture`: the picture is wanted too, so a format with both is fetched once. Raises EngineError.
    """
    candidates = [f for f in usable(info) if f.get("acodec") != "none"]
    if not candidates:
        raise EngineError("NO_AUDIO_STREAM")
    sound_only = [f for f in candidates if f.get("vcodec") == "none"]
    if sound_only:
        original = max(f.get("language_preference") or -1 for f in sound_only)
        return min((f for f in sound_only if (f.get("language_preference") or -1) == original), key=speech_cost)
    if with_picture:
        return largest_readable(candidates)
    return min(candidates, key=lambda f: f.get("height") or float("inf"))


def video_format(info: dict[str, Any]) -> Format:
    """The picture closest to what reading a screen needs, with or without sound. Raises EngineError."""
    candidates = [f for f in usable(info) if f.get("vcodec") != "none"]
    if not candidates:
        raise EngineError("INPUT_UNSUPPORTED", "There is no picture in this media.", hint="Use mode audio.")
    return largest_readable(candidates)


def usable(info: dict[str, Any]) -> list[Format]:
    """The formats that can be fetched without another program or a licence. Raises EngineError when there is none."""
    media = [f for f in all_formats(info) if not f.get("vcodec") == f.get("acodec") == "none"]
    free = [f for f in media if f.get("has_drm") is not True]
    if media and not free:
        raise EngineError("SOURCE_UNAVAILABLE", "The video is protected (DRM).")
    found = [f for f in free if determine_protocol(f) in PROTOCOLS]
    if not found:
        raise EngineError("URL_UNSUPPORTED", "The video is only offered in a way that is not supported.")
    return found


def speech_cost(sound: Format) -> tuple[bool, float]:
    """Sorts sounds: good enough ones by size, then the rest, best first."""
    kbps = sound.get("abr") or sound.get("tbr") or 0
    return kbps < SPEECH_KBPS, kbps if kbps >= SPEECH_KBPS else -kbps


def largest_readable(pictures: Iterable[Format]) -> Format:
    """The highest picture up to SCREEN_HEIGHT, else the lowest above it; among equals yt-dlp's best."""

    def fitness(picture: Format) -> tuple[bool, int]:
        height = picture.get("height") or 0
        return height <= SCREEN_HEIGHT, height if height <= SCREEN_HEIGHT else -height

    return max(reversed(list(pictures)), key=fitness)
