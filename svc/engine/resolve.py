"""Stage `resolve`: what the source is, before anything of it is transcribed."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from svc.core.errors import EngineError
from svc.engine.facts import Facts, Track
from svc.engine.run import Run

if TYPE_CHECKING:
    from svc.engine.links.session import LinkSession

LOCAL = "local"


class Source:
    """The run's source. A link is opened once, and only when something of it is needed that is not known yet.

    `waits` are the pauses in seconds before network trouble is tried again, where not the usual ones.
    """

    def __init__(self, run: Run, waits: tuple[float, ...] | None = None):
        self.run, self.waits = run, waits
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
        part, _ = self.run.part("facts", lambda: (self.file_facts() if self.is_file else self.link.resolve()).to_json())
        return Facts.from_json(part)

    @property
    def link(self) -> "LinkSession":
        if self._link is None:
            from svc.engine.links.session import open_link

            patience = () if self.waits is None else (self.waits,)
            self._link = self._open.enter_context(open_link(self.run, *patience))
        return self._link

    def path(self) -> Path:
        path = Path(self.run.request.location)
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
            "uploadDate": found.date,
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
