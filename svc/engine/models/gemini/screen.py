"""What is on screen, noted by a model that is sent a small copy of the picture."""

from pathlib import Path
from typing import Any

from svc.core.errors import EngineError
from svc.engine.models.gemini import picture
from svc.engine.models.gemini.api import Api
from svc.engine.models.gemini.files import Upload
from svc.engine.models.gemini.language import Gemini
from svc.engine.models.gemini.notes import FPS, Notes, put_together, share_of, take_notes
from svc.engine.models.gemini.times import windows
from svc.engine.run import Run
from svc.engine.seen import Seen
from svc.engine.speech.spans import Span
from svc.engine.speech.trouble import UNHEARD


class ScreenReader:
    """A Watcher provider. Finished windows are parts of the run and are not paid for again."""

    def __init__(self, run: Run):
        self.run, self.model = run, Gemini(Api(run))

    def watch(self, path: Path, fps: float | None, max_scenes: int | None) -> Seen:
        """Notes up to the window that cannot be noted (`until`). Raises EngineError when that is the first."""
        copy = picture.small_copy(path, self.run.folder / "picture.mp4", fps or FPS)
        try:
            noted = self.note_all(copy, max_scenes)
        finally:
            copy.path.unlink()
        return put_together(self.model.name, copy.fps, noted)

    def note_all(self, copy: picture.Copy, max_scenes: int | None) -> list[tuple[Span, Notes]]:
        noted: list[tuple[Span, Notes]] = []
        with Upload(self.model.api, copy.path, picture.MIME) as upload:
            for window in windows(copy.seconds):
                try:
                    noted.append((window, self.notes(upload, window, copy.fps, max_scenes, noted)))
                except EngineError as error:
                    if not noted or error.code not in UNHEARD:
                        raise
                    break
                self.run.progress(window[1], copy.seconds, "seconds")
        return noted

    def notes(
        self, upload: Upload, window: Span, fps: float, most: int | None, noted: list[tuple[Span, Notes]]
    ) -> Notes:
        so_far = noted[-1][1]["overview"] if noted else ""

        def look(uri: str) -> dict[str, Any]:
            video = {"uri": uri, "mime_type": picture.MIME}
            return take_notes(self.model, video, window, fps, share_of(window, most), so_far)[0]

        found, _ = self.run.part(f"visual/{len(noted):04}", lambda: upload.use(look))
        return found
