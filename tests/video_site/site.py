"""The pages of the site."""

import functools
import gzip
import itertools
import json
import mimetypes
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from video_site import captions
from video_site.server import Answer, Handler, Server

PLUGINS = Path(__file__).parent / "plugins"
MEBIBYTE = 1 << 20
HLS, DASH = "application/vnd.apple.mpegurl", "application/dash+xml"
# What sites and yt-dlp's extractors really say.
SAYINGS = {
    "private": "Private video. Sign in if you've been granted access to this video",
    "removed": "This video has been removed by the uploader",
    "blocked": "Sign in to confirm you’re not a bot. Use --cookies-from-browser or --cookies for the authentication",
    "members": "Join this channel to get access to members-only content like this video",
    "age": "Sign in to confirm your age. This video may be inappropriate for some users",
    "premiere": "Premieres in 3 hours",
    "limited": "Your account has been rate-limited by the site for up to an hour, try again later.",
}


class VideoSite(Server):
    """Serves the files of `media_folder` below `/media/` (with ranges) and `/whole/` (without), and the pages below.

    `/watch/<id>` are the pages of a known site (provider `fixture`): set one with `video(id, ...)`. They need the
    extractor in `plugin_path` on PYTHONPATH and `Config.extractor_plugins`.
    """

    plugin_path = str(PLUGINS)

    def __init__(self, media_folder: Path | str, host: str = "127.0.0.2"):
        super().__init__(host)
        self.media = Path(media_folder)
        self.videos: dict[str, dict] = {}
        for path, text in captions.FILES.items():
            self.serve(path, text, "text/plain; charset=utf-8")
        self._add_pages()
        self._add_streams()
        self._add_trouble()
        self._add_videos()

    def answer(self, path: str, request: Handler) -> Answer:
        first, _, rest = path.lstrip("/").partition("/")
        if first in ("media", "whole"):
            return self._file(rest, ranges=first == "media")
        if first == "watch" and rest in self.videos:
            return Answer(f"<html><title>{rest}</title><body>a player made of scripts</body></html>")
        if first == "api" and rest.removesuffix(".json") in self.videos:
            return Answer(json.dumps(self.videos[rest.removesuffix(".json")]), "application/json")
        if first == "redirect":
            return redirect(int(rest or 302), parse_qs(urlsplit(request.path).query)["to"][0])
        return super().answer(path, request)

    def video(self, video_id: str, **info: object) -> str:
        """Sets a video of the known site, in yt-dlp's field names; paths are resolved. Gives the page's URL."""
        default = [{"url": "/media/talk.mp4", "format_id": "18", "ext": "mp4", "vcodec": "mp4v", "acodec": "mp4a"}]
        self.videos[video_id] = {"title": f"Video {video_id}", "duration": 2, "formats": default, **info}
        return self.url(f"/watch/{video_id}")

    def _file(self, name: str, ranges: bool) -> Answer:
        path = self.media / name
        if not path.is_file():
            return Answer("gone", status=404)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Answer(path.read_bytes(), kind, ranges=ranges)

    def _add_pages(self) -> None:
        track = '<track src="/captions/manual.{0}.vtt" srclang="{0}" kind="subtitles">'
        self.serve("/talk.html", page("A talk", '<video src="/media/talk.mp4"></video>'))
        self.serve("/captioned.html", page("A talk", html5(track.format("en"), track.format("de"))))
        self.serve("/unnamed-track.html", page("A talk", html5('<track src="/captions/manual.en.vtt">')))
        self.serve("/silent.html", page("Silence", '<video src="/media/silent.mp4"></video>'))
        self.serve("/gone-media.html", page("A talk", '<video src="/media/nothing.mp4"></video>'))
        self.serve("/hls.html", page("A stream", '<video src="/hls/vod.m3u8"></video>'))
        self.serve("/hls-live.html", page("A stream", '<video src="/hls/live.m3u8"></video>'))
        self.serve("/jsonld.html", page("A talk", "", head=json_ld(self.url())))
        two = "".join(f'<video src="/media/talk.mp4?{n}"></video>' for n in range(2))
        self.serve("/several.html", page("Two talks", two))
        self.serve("/text.html", page("Words", "<p>Nothing to play.</p>"))
        self.serve("/feed.xml", feed(self.url()), "application/rss+xml")
        self.serve("/paper.pdf", b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n" + b"%x\n" * 500, "application/pdf")
        self.serve("/dot.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "image/png")
        self.serve("/blob", bytes(range(256)) * 64, "application/octet-stream")
        self.serve("/fake.mp4", b"this is no video " * 500, "video/mp4", ranges=True)

    def _add_streams(self) -> None:
        key = '#EXT-X-KEY:METHOD=AES-128,URI="/media/aes.key",IV=0x' + "0" * 32
        self.serve("/hls/vod.m3u8", playlist("segment"), HLS)
        self.serve("/hls/live.m3u8", playlist("segment", ended=False), HLS)
        self.serve("/hls/aes.m3u8", playlist("encrypted", head=key), HLS)
        self.serve("/hls/hole.m3u8", playlist("segment").replace("segment1", "missing"), HLS)
        self.serve("/dash.mpd", manifest(), DASH)

    def _add_trouble(self) -> None:
        for status in (401, 403, 404, 410, 429, 451, 500, 503):
            self.serve(f"/status/{status}", "sorry", status=status)
        self.serve("/stall", chunks=lambda: iter([b"<html>", *pauses(600)]))
        self.serve("/slow.mp4", type="video/mp4", chunks=lambda: (b"x" for _ in pauses(3600)))
        self.serve("/endless.html", chunks=lambda: itertools.chain([b"<html>"], itertools.repeat(b"<p>x</p>" * 8192)))
        self.serve("/endless.mp4", type="video/mp4", chunks=self._endless_media)
        self.serve("/bomb.html", bomb(), headers={"Content-Encoding": "gzip"})
        self.answers["/big-redirect"] = Answer(
            status=302, headers={"Location": "/talk.html"}, chunks=lambda: itertools.repeat(bytes(65536), 16384)
        )

    def _add_videos(self) -> None:
        en = [{"url": "/captions/manual.en.vtt", "ext": "vtt"}]
        de = [{"url": "/captions/manual.de.vtt", "ext": "vtt"}]
        auto = [{"url": "/captions/auto.en.json3", "ext": "json3"}]
        french = [{"url": "/captions/translated.fr.json3?lang=en&tlang=fr", "ext": "json3"}]
        machine = {"en-orig": auto, "en": auto, "fr": french}
        self.video("manual", subtitles={"de": de, "en": en}, automatic_captions=machine, language="en")
        self.video("auto", automatic_captions=machine, language="en")
        self.video("translated", automatic_captions={"fr": french})
        self.video("plain")
        self.video("live", live_status="is_live")
        self.video("upcoming", live_status="is_upcoming", formats=[])
        self.video("geo", error={"kind": "geo"})
        self.video("login", error={"kind": "login"})
        self.video("offline", error={"kind": "not_live"})
        self.video("drm", error={"kind": "drm"})
        for name, message in SAYINGS.items():
            self.video(name, error={"kind": "says", "message": message})

    def _endless_media(self) -> Iterator[bytes]:
        return itertools.chain([(self.media / "talk.mp4").read_bytes()], itertools.repeat(bytes(65536)))


@functools.cache
def bomb() -> bytes:
    return gzip.compress(b"<html>" + bytes(64 * MEBIBYTE))


def page(title: str, body: str, head: str = "") -> str:
    about = '<meta property="og:description" content="About it.">'
    return f"<!DOCTYPE html><html><head><title>{title}</title>{about}{head}</head><body>{body}</body></html>"


def html5(*tracks: str) -> str:
    return f'<video poster="/poster.jpg"><source src="/media/talk.mp4" type="video/mp4">{"".join(tracks)}</video>'


def json_ld(root: str) -> str:
    video = {
        "@context": "https://schema.org",
        "@type": "VideoObject",
        "name": "A talk about tests",
        "description": "What it says.",
        "contentUrl": f"{root}media/talk.mp4",
        "thumbnailUrl": f"{root}poster.jpg",
        "uploadDate": "2026-03-04",
        "duration": "PT2S",
        "author": "Ann Lee",
        "keywords": "tests,talks",
    }
    return f'<script type="application/ld+json">{json.dumps(video)}</script>'


def playlist(name: str, ended: bool = True, head: str = "") -> str:
    segments = [f"#EXTINF:1.0,\n/media/{name}{number}.ts" for number in range(2)]
    rows = [
        "#EXTM3U",
        "#EXT-X-VERSION:3",
        "#EXT-X-TARGETDURATION:1",
        head,
        *segments,
        "#EXT-X-ENDLIST" if ended else "",
    ]
    return "\n".join(row for row in rows if row) + "\n"


def manifest() -> str:
    return (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
        'mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="audio/mp4">'
        '<Representation id="a" bandwidth="64000" codecs="mp4a.40.2"><SegmentList duration="2" timescale="1">'
        '<Initialization sourceURL="/media/dash-init.mp4"/><SegmentURL media="/media/dash-1.m4s"/>'
        "</SegmentList></Representation></AdaptationSet></Period></MPD>"
    )


def feed(root: str) -> str:
    items = "".join(
        f'<item><title>Part {n}</title><enclosure url="{root}media/talk.mp3?{n}" type="audio/mpeg"/></item>'
        for n in range(3)
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>A show</title>{items}</channel></rss>'


def redirect(status: int, target: str) -> Answer:
    return Answer(status=status, headers={"Location": target})


def pauses(seconds: int) -> Iterator[bytes]:
    """Blank bytes, one now and then, for so long."""
    for _ in range(seconds * 5):
        time.sleep(0.2)
        yield b" "
