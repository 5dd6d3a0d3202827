"""One link, followed by one guarded yt-dlp: what it is, its captions, its media."""

import contextlib
import functools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from yt_dlp.networking import Request
from yt_dlp.utils import determine_protocol

from svc.core.errors import EngineError
from svc.engine.facts import Facts
from svc.engine.links import formats, hls
from svc.engine.links.address import AddressPolicy
from svc.engine.links.captions import decode_captions, is_unpunctuated, parse_captions
from svc.engine.links.describe import describe, set_duration, set_streams
from svc.engine.links.download import Watch, fetch, with_playlist
from svc.engine.links.errors import engine_errors
from svc.engine.links.formats import Format
from svc.engine.links.guard import GuardedYoutubeDL
from svc.engine.links.network import Network
from svc.engine.links.retry import WAIT_SECONDS, retrying
from svc.engine.links.tracks import Offer, preferred
from svc.engine.links.url import check_url
from svc.engine.run import Run
from svc.engine.timed_text import check
from svc.engine.transcript import Transcript

LIVE_STATES = {
    "is_live": "This is a live stream.",
    "is_upcoming": "This broadcast has not started yet.",
    "post_live": "This broadcast has only just ended.",
}
CAPTIONS_FIRST = ("auto", "captions")
# How many caption tracks are tried before there are none.
MAX_TRACKS = 4
MEDIA_EXTENSIONS = {"mp4", "webm", "mkv", "m4a", "mp3", "ogg", "opus", "wav", "flac", "aac", "ts", "mov"}

Result = TypeVar("Result")


@contextlib.contextmanager
def open_link(run: Run, waits: tuple[float, ...] = WAIT_SECONDS) -> Iterator["LinkSession"]:
    """The session for the run's link; `waits` are the pauses before network trouble is tried again (none: `()`).

    Raises URL_UNSUPPORTED for a malformed link, ValueError for a malformed entry of `Config.allow_hosts`.
    """
    url = check_url(run.request.location)
    network = Network(AddressPolicy(run.config.allow_hosts), run.config.max_page_bytes)
    with GuardedYoutubeDL(network, run.config.extractor_plugins) as ydl:
        ydl.add_progress_hook(Watch(run, ydl))
        yield LinkSession(run, url, ydl, waits)


class LinkSession:
    """Every method raises EngineError, within the time limits of the configuration. The page is read once."""

    def __init__(self, run: Run, url: str, ydl: GuardedYoutubeDL, waits: tuple[float, ...]):
        self.run, self.url, self.ydl, self.waits = run, url, ydl, waits
        self._info: dict[str, Any] | None = None
        self._playlists: dict[str, Format] = {}
        self._files: dict[str, Path] = {}

    def resolve(self, measure: bool | None = None) -> Facts:
        """What the link is. Refuses what is live, needs a login, is no single video or audio, or is too long.

        `measure`: also look into the media for what the page does not say (length, streams). By default that is
        left out when captions answer the request, since they tell the length themselves.
        """
        with self._within(self.run.config.resolve_seconds):
            info = self._extracted()
            facts = describe(self.ydl, self.url, info)
            if measure is None:
                measure = not facts.tracks or self.run.request.mode not in CAPTIONS_FIRST
            if measure:
                self._retrying(lambda: self._measure(facts, info))
        self._refuse_too_long(facts.duration)
        return facts

    def captions(self, languages: tuple[str, ...] | None = None) -> Transcript | None:
        """The best readable caption track for the wanted languages (default: the request's), or None."""
        wishes = self.run.request.languages if languages is None else languages
        with self._within(self.run.config.resolve_seconds):
            info = self._extracted()
        failure = None
        for offer in preferred(info, wishes)[:MAX_TRACKS]:
            try:
                with self._within(self.run.config.resolve_seconds / MAX_TRACKS):
                    transcript = self._read(offer)
            except EngineError as error:
                failure = error
                continue
            if transcript:
                self._refuse_too_long(transcript.segments[-1].start)  # whatever length the page tells
                check(self.run, transcript, info.get("duration"), wishes)
                self._refuse_too_long(transcript.segments[-1].end)
                self._warn_of(transcript, offer)
                return transcript
        if failure and failure.row.retryable and self.run.request.mode == "captions":
            raise failure
        return None

    def download(self, folder: Path, want: str = "audio") -> Path:
        """The media file with the sound (`audio`) or picture (`video`), fetched once when one format serves both."""
        with self._within(self.run.config.resolve_seconds):
            media = self._choose(self._extracted(), want)
        if (key := str(media.get("format_id"))) not in self._files:
            extension = media["ext"] if media.get("ext") in MEDIA_EXTENSIONS else "media"
            with self._within(self.run.config.download_seconds):
                self._files[key] = self._retrying(lambda: self._download(media, folder / f"{want}.{extension}"))
        return self._files[key]

    @contextlib.contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        with engine_errors(self.ydl.network), self.ydl.network.deadline(seconds):
            yield

    def _retrying(self, attempt: Callable[[], Result]) -> Result:
        return retrying(self.run, self.ydl.network, self.waits, attempt)

    def _extracted(self) -> dict[str, Any]:
        if self._info is None:
            self._info = self._retrying(self._extract)
        return self._info

    def _extract(self) -> dict[str, Any]:
        try:
            info = single(self.ydl.extract_info(self.url, download=False))
        finally:
            # A broadcast that has not begun has no formats, which would hide the reason.
            refuse_live(self.ydl.without_formats or {})
        refuse_live(info)
        return info

    def _measure(self, facts: Facts, info: dict[str, Any]) -> None:
        """Fills in what the page left open, from the format that would be fetched."""
        media = self._any_format(info)
        protocol = determine_protocol(media)
        if protocol.startswith("m3u8"):
            if facts.duration is None:
                set_duration(facts, hls.seconds(self._with_playlist(media)["hls_media_playlist_data"]))
        elif protocol == "http_dash_segments":
            if facts.duration is None:
                set_duration(facts, sum(part.get("duration") or 0 for part in media.get("fragments") or []))
        elif None in (facts.duration, facts.has_audio, facts.has_video):
            self._look_into(facts, media)

    def _look_into(self, facts: Facts, media: Format) -> None:
        from svc.engine.links.remote import measure  # PyAV is only loaded when a file must be looked into

        if seen := measure(self.ydl, media):
            set_duration(facts, seen.duration)
            set_streams(facts, seen.has_audio, seen.has_video)
            shape = {"width": seen.width, "height": seen.height, "fps": seen.fps}
            facts.meta.update({name: value for name, value in shape.items() if value})

    def _any_format(self, info: dict[str, Any]) -> Format:
        has_sound = any(f.get("acodec") != "none" for f in formats.usable(info))
        return self._choose(info, "audio" if has_sound else "video")

    def _choose(self, info: dict[str, Any], want: str) -> Format:
        if want == "video":
            return formats.video_format(info)
        return formats.audio_format(info, with_picture=self.run.request.mode == "full")

    def _with_playlist(self, media: Format) -> Format:
        if media["url"] not in self._playlists:
            self._playlists[media["url"]] = with_playlist(self.ydl, media)
        return self._playlists[media["url"]]

    def _download(self, media: Format, path: Path) -> Path:
        if determine_protocol(media).startswith("m3u8"):
            media = self._with_playlist(media)
        path.parent.mkdir(parents=True, exist_ok=True)
        return fetch(self.ydl, media, path)

    def _read(self, offer: Offer) -> Transcript | None:
        """A track's transcript, from its best format that has any text; None when none has."""
        for track in offer.formats:
            text = self._retrying(functools.partial(self._text, track))
            segments, labels = parse_captions(text, track["ext"])
            if segments:
                return Transcript(
                    origin="captions-manual" if offer.track.kind == "manual" else "captions-auto",
                    timing="caption",
                    segments=segments,
                    language=offer.track.language,
                    translated_from=offer.translated_from,
                    diarized=bool(labels),
                    speaker_labels=labels,
                )
        return None

    def _text(self, track: dict[str, Any]) -> str:
        """The text of a caption file, wherever it is: in the page's data, in a file, in HLS segments."""
        if track.get("data"):
            return str(track["data"])
        if str(track.get("protocol") or "").startswith("m3u8"):
            with tempfile.TemporaryDirectory(dir=self.run.folder) as folder:
                path = Path(folder) / "captions"
                self.ydl.dl(str(path), dict(track), subtitle=True)
                return decode_captions(path.read_bytes())
        with self.ydl.urlopen(Request(track["url"], headers=track.get("http_headers") or {})) as response:
            return decode_captions(response.read())

    def _warn_of(self, transcript: Transcript, offer: Offer) -> None:
        if offer.track.kind == "translated":
            self.run.warn(
                "TRANSLATED_CAPTIONS", "The captions are a machine translation.", translatedFrom=offer.translated_from
            )
        if offer.track.kind != "manual" and is_unpunctuated(transcript.text):
            self.run.warn("AUTO_CAPTIONS_UNPUNCTUATED", "The automatic captions have little punctuation.")

    def _refuse_too_long(self, seconds: float | None) -> None:
        longest = self.run.request.max_seconds
        if seconds and longest and seconds > longest:
            raise EngineError(
                "SOURCE_TOO_LONG", f"The video is {seconds / 60:.1f} minutes long; {longest / 60:.0f} are allowed."
            )


def single(info: dict[str, Any] | None) -> dict[str, Any]:
    """The one video of what was extracted. Raises URL_UNSUPPORTED for none and for several."""
    if not info:
        raise EngineError("URL_UNSUPPORTED", "No video or audio was found at this link.")
    if info.get("_type", "video") == "video":
        return info
    entries = [entry for entry in info.get("entries") or [] if entry]
    if len(entries) == 1 and info.get("playlist_count") == 1:
        return single(entries[0])
    raise EngineError(
        "URL_UNSUPPORTED",
        "There are several videos at this link." if entries else "No video or audio was found at this link.",
        hint="Send the link of one video.",
    )


def refuse_live(info: dict[str, Any]) -> None:
    if message := LIVE_STATES.get(info.get("live_status") or ""):
        raise EngineError("SOURCE_LIVE", message)
