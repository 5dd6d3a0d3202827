"""HTTP Live Streaming media playlists (RFC 8216): whether they are finished, and how long they are."""

import math
import re

LENGTH = re.compile(r"^#EXTINF:\s*(\d+(?:\.\d+)?)", re.MULTILINE)


def is_media_playlist(text: str) -> bool:
    return text.lstrip("\ufeff \r\n").startswith("#EXTM3U") and "#EXT-X-STREAM-INF" not in text


def is_live(text: str) -> bool:
    """Segments may still be added (section 4.3.3.4 and 4.3.3.5)."""
    return "#EXT-X-ENDLIST" not in text and not re.search(r"#EXT-X-PLAYLIST-TYPE:\s*VOD", text)


def seconds(text: str) -> float:
    """The sum of the segments' lengths."""
    return math.fsum(float(length) for length in LENGTH.findall(text))
