"""What yt-dlp's info dictionary says about a video, as the contract's `source` and `meta`. Nothing secret is kept."""

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from yt_dlp import YoutubeDL

from svc.engine.facts import Facts
from svc.engine.links.identity import canonical_address, identity
from svc.engine.links.language import language_tag
from svc.engine.links.tracks import offered
from svc.engine.links.url import canonical_url, display_url

TITLE_LENGTH = 500
DESCRIPTION_LENGTH = 20_000
MAX_TAGS = 100
MAX_CHAPTERS = 500


def describe(ydl: YoutubeDL, link: str, info: dict[str, Any]) -> Facts:
    """Everything the page itself said. What it left open is None or absent."""
    provider, video_id = identity(ydl, link, info)
    source = {
        "kind": "url",
        "provider": provider,
        "url": display_url(link),
        "canonicalUrl": display_url(canonical_address(link, provider, info)),
        "videoId": video_id,
        "extractor": info["extractor"],
    }
    facts = Facts(
        source=source,
        meta=meta(info),
        content_id=f"{provider}:{video_id}",
        tracks=[entry.track for entry in offered(info)],
        has_audio=has_stream(info, "acodec"),
        has_video=has_stream(info, "vcodec"),
    )
    set_duration(facts, info.get("duration"))
    set_streams(facts, facts.has_audio, facts.has_video)
    return facts


def set_duration(facts: Facts, seconds: float | None) -> None:
    if seconds and seconds > 0:
        facts.duration = facts.meta["durationSeconds"] = round(float(seconds), 3)


def set_streams(facts: Facts, has_audio: bool | None, has_video: bool | None) -> None:
    """Notes in facts and meta which streams there are; None leaves a field as it is."""
    if has_audio is not None:
        facts.has_audio = facts.meta["hasAudio"] = has_audio
    if has_video is not None:
        facts.has_video = facts.meta["hasVideo"] = has_video


def meta(info: dict[str, Any]) -> dict[str, Any]:
    """The contract's meta object, without the fields that are unknown."""
    picture = best_picture(info)
    fields = {
        "title": title(info),
        "description": text(info.get("description"), DESCRIPTION_LENGTH),
        "channel": channel(info),
        "uploadDate": upload_date(info),
        "language": language_tag(info.get("language")),
        "width": picture.get("width"),
        "height": picture.get("height"),
        "fps": picture.get("fps"),
        "chapters": chapters(info),
        "tags": [tag for raw in (info.get("tags") or [])[:MAX_TAGS] if (tag := text(raw, TITLE_LENGTH))],
        "viewCount": info.get("view_count"),
        "thumbnailUrl": web_address(info.get("thumbnail")),
        "live": None if info.get("live_status") is None else info["live_status"] == "is_live",
    }
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def text(value: Any, length: int) -> str | None:
    """A page's text without control characters and lone surrogates, at most so long."""
    if not isinstance(value, str):
        return None
    return "".join(c for c in value[:length] if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs")).strip()


def title(info: dict[str, Any]) -> str | None:
    """The title; yt-dlp numbers the videos of an HTML page although it has only one."""
    name = text(info.get("title"), TITLE_LENGTH)
    return name.removesuffix(" (1)") if name and info["extractor"] == "html5" else name


def channel(info: dict[str, Any]) -> dict[str, str]:
    prefix = "channel" if info.get("channel") else "uploader"
    fields = {
        "name": text(info.get(prefix), TITLE_LENGTH),
        "id": text(info.get(f"{prefix}_id"), TITLE_LENGTH),
        "url": web_address(info.get(f"{prefix}_url")),
    }
    return {name: value for name, value in fields.items() if value}


def web_address(value: Any) -> str | None:
    """A site's own http(s) address without credentials, or None."""
    if not isinstance(value, str) or not value.startswith(("http://", "https://")):
        return None
    try:
        return canonical_url(value)
    except ValueError:
        return None


def upload_date(info: dict[str, Any]) -> str | None:
    """The day as ISO 8601, or None."""
    if match := re.fullmatch(r"(\d{4})(\d\d)(\d\d)", str(info.get("upload_date") or info.get("release_date") or "")):
        return "-".join(match.groups())
    moment = known(lambda: datetime.fromtimestamp(info["timestamp"], UTC))
    return moment.date().isoformat() if moment else None


def known(read: Callable[[], Any]) -> Any:
    """What `read` finds in a page's data, or None when it is missing or nonsense."""
    try:
        return read()
    except (LookupError, TypeError, ValueError, OverflowError, OSError):
        return None


def chapters(info: dict[str, Any]) -> list[dict[str, Any]]:
    """The uploader's chapters that have a time and a name."""
    found = []
    for raw in (info.get("chapters") or [])[:MAX_CHAPTERS]:
        start, end, name = raw.get("start_time"), raw.get("end_time"), text(raw.get("title"), TITLE_LENGTH)
        if is_number(start) and name and not name.startswith("<Untitled"):
            found.append({"start": start, "end": end if is_number(end) else start, "title": name})
    return found


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def best_picture(info: dict[str, Any]) -> dict[str, Any]:
    """Width, height and frame rate of the largest video format that tells them."""
    pictures = [f for f in info.get("formats") or [info] if f.get("vcodec") != "none" and f.get("height")]
    return max(pictures, key=lambda f: f["height"], default={})


def has_stream(info: dict[str, Any], codec: str) -> bool | None:
    """Whether any format has sound (`acodec`) or picture (`vcodec`); None when none of them says so."""
    values = {f.get(codec) for f in info.get("formats") or [info]}
    if values - {None, "none"}:
        return True
    return False if values == {"none"} else None
