"""Stage `resolve`: what the source is, before anything of it is transcribed."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from svc.core import clock
from svc.core.errors import EngineError
from svc.core.lean import without
from svc.engine.direct import bare_facts, reader_instead
from svc.engine.facts import Facts, Track
from svc.engine.run import Run

if TYPE_CHECKING:
    from svc.engine.links.session import LinkSession

LOCAL = "local"
FIRST_YEAR = 1971

# yt-dlp and its ciphers load these where they are installed, and a link's address guard lets none of them be used.
UNUSED_LIBRARIES = ("cffi", "curl_cffi", "requests", "urllib3", "websockets")


class Source:
    """The run's source. A link is opened once, and only when something of it is needed that is not known yet.

    `waits` are the pauses in seconds before network trouble is tried again, where not the usual ones; `measure`
    looks into a link's media for its length and streams even where captions would do.
    """

    def __init__(self, run: Run, waits: tuple[float, ...] | None = None, measure: bool | None = None):
        self.run, self.waits, self.measure = run, waits, measure
        self._open = ExitStack()
        self._link: LinkSession | None = None

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def is_file(self) -> bool:
        return self.run.request.kind == "file"

    def facts(self) -> Facts:
        """What is known of the source. Raises EngineError when it cannot be used."""
        part, _ = self.run.part("facts", lambda: self.find_out().to_json())
        return Facts.from_json(part)

    def find_out(self) -> Facts:
        if self.is_file:
            return self.file_facts()
        try:
            return self.link.resolve(self.measure)
        except EngineError as error:
            reader_instead(self.run, error)
            return bare_facts(self.run)

    @property
    def link(self) -> "LinkSession":
        if self._link is None:
            with without(*UNUSED_LIBRARIES):
                from svc.engine.links.session import open_link

            patience = () if self.waits is None else (self.waits,)
            self._link = self._open.enter_context(open_link(self.run, *patience))
        return self._link

    def path(self) -> Path:
        path = Path(self.run.request.location)
        if path.is_dir():
            raise EngineError("INPUT_UNSUPPORTED", "This is a folder.", hint="Give one audio or video file.")
        if not path.is_file():
            raise EngineError("INPUT_NOT_FOUND")
        return path

    def file_facts(self) -> Facts:
        from svc.engine.media.fingerprint import content_key
        from svc.engine.media.probe import probe

        path = self.path()
        found = probe(path)
        longest = self.run.request.max_seconds
        if longest and found.duration and found.duration > longest:
            raise EngineError("SOURCE_TOO_LONG")
        key = self.run.request.content_key or content_key(path)
        name = self.run.request.file_name or path.name
        source = {
            "kind": "file",
            "provider": LOCAL,
            "fileName": name,
            "fileBytes": path.stat().st_size,
            "contentKey": key,
        }
        meta = {
            "title": found.title or Path(name).stem,
            "uploadDate": plausible_date(found.date),
            "durationSeconds": round(found.duration, 3) if found.duration else None,
            "hasAudio": found.has_audio,
            "hasVideo": found.has_video,
            "width": found.width,
            "height": found.height,
            "fps": found.fps,
            "channel": {"name": found.artist} if found.artist else None,
        }
        return Facts(
            source=source,
            meta={name: value for name, value in meta.items() if value is not None},
            content_id=f"{LOCAL}:{key}",
            duration=found.duration,
            has_audio=found.has_audio,
            has_video=found.has_video,
            tracks=[Track(track.language, "manual") for track in found.subtitles],
            mime=found.mime,
        )


def plausible_date(tag: str | None) -> str | None:
    """The date of a file's tag, as a year or ISO date; not the zero that recorders write when they have no clock."""
    found = re.match(r"(\d{4})(-\d{2}-\d{2})?", tag or "")
    if not found or not FIRST_YEAR <= int(found[1]) <= clock.now().year + 1:
        return None
    return found[0]
