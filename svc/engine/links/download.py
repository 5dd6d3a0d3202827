"""Fetching one format to a file, with a cap on bytes and progress as it comes."""

import time
from pathlib import Path
from typing import Any

from yt_dlp.downloader import HlsFD
from yt_dlp.networking import Request

from svc.core.errors import EngineError
from svc.engine.links import hls
from svc.engine.links.formats import Format
from svc.engine.links.guard import GuardedYoutubeDL
from svc.engine.links.network import TOO_MANY_BYTES
from svc.engine.run import Run

REPORT_SECONDS = 0.5


class Watch:
    """yt-dlp's progress hook: reports to the run, and stops the session at too many bytes."""

    def __init__(self, run: Run, ydl: GuardedYoutubeDL):
        self.run, self.network = run, ydl.network
        self._reported = 0.0

    def __call__(self, status: dict[str, Any]) -> None:
        sizes = status.get("downloaded_bytes"), status.get("total_bytes")
        if max(size or 0 for size in sizes) > self.run.config.max_media_bytes:
            self.network.stop(TOO_MANY_BYTES)
            self.network.check()
        if time.monotonic() - self._reported >= REPORT_SECONDS or status["status"] == "finished":
            self._reported = time.monotonic()
            self._report(status)

    def _report(self, status: dict[str, Any]) -> None:
        if status.get("fragment_count"):
            self.run.progress(status.get("fragment_index") or 0, status["fragment_count"], "fragments")
        else:
            self.run.progress(status.get("downloaded_bytes") or 0, status.get("total_bytes"), "bytes")


def fetch(ydl: GuardedYoutubeDL, media: Format, path: Path) -> Path:
    """Downloads a format; a half-finished file of an earlier attempt is continued. Raises what yt-dlp raises."""
    done, _ = ydl.dl(str(path), dict(media))
    if not done or not path.is_file() or not path.stat().st_size:
        raise EngineError("NETWORK", "The download was incomplete.")
    return path


def with_playlist(ydl: GuardedYoutubeDL, media: Format) -> Format:
    """An HLS format together with its media playlist, fetched once. Raises SOURCE_LIVE while it still grows.

    What yt-dlp cannot decrypt by itself is refused here; it would hand the address to ffmpeg.
    """
    with ydl.urlopen(Request(media["url"], headers=media.get("http_headers") or {})) as response:
        text, address = response.read().decode("utf-8", "replace"), response.url
    if not hls.is_media_playlist(text):
        raise EngineError("URL_UNSUPPORTED", "The video's playlist cannot be read.")
    if hls.is_live(text):
        raise EngineError("SOURCE_LIVE")
    if not HlsFD.can_download(text, media):
        raise EngineError("SOURCE_UNAVAILABLE", "The video is encrypted in a way that only its own player reads.")
    return {**media, "url": address, "hls_media_playlist_data": text}
