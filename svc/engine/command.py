"""`svc run`: the engine once, for a person at a terminal or a program that reads its events."""

import json
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, TextIO

from svc.core import clock
from svc.core.errors import EngineError, as_told_operator
from svc.core.settings import Settings
from svc.engine.config import config_for
from svc.engine.export import FORMATS
from svc.engine.models.roles import forget_uploads
from svc.engine.process import EngineProcess
from svc.engine.request import Options, Request, canonical_mode

INTERRUPTED = "CANCELLED"
BAR_CELLS = 30


def run(
    settings: Settings,
    source: str,
    mode: str,
    languages: tuple[str, ...],
    formats: list[str],
    out: Path | None,
    events_to_stdout: bool,
) -> int:
    """Runs the engine on a link or a path and writes the result; answers with the contract's exit code.

    One format without `out` goes to standard output, except that `events_to_stdout` takes it for the events; several
    go to files named after the source, in the folder `out`.
    """
    listener = JsonEvents(sys.stdout) if events_to_stdout else ProgressBar(sys.stderr)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        with tempfile.TemporaryDirectory(prefix="svc-run-") as folder:
            request = request_for(source, mode, languages)
            context, done = perform(settings, request, Path(folder), listener)
    except KeyboardInterrupt:
        return listener.fail(EngineError(INTERRUPTED))
    except EngineError as error:
        return listener.fail(as_told_operator(error))
    listener.clear()
    try:
        files = deliver(context, stem(source), formats, out, to_stdout=not events_to_stdout)
        listener.end(done, files)
    except OSError as error:
        return listener.fail(EngineError("INTERNAL", f"The result cannot be written: {error}.", stage="deliver"))
    return 0


def request_for(source: str, mode: str, languages: tuple[str, ...]) -> Request:
    is_link = "://" in source
    return Request(
        kind="url" if is_link else "file",
        location=source if is_link else str(Path(source).absolute()),
        mode=canonical_mode(mode),
        languages=languages,
        options=Options(include_words=True),
        file_name=None if is_link else Path(source).name,
    )


def perform(
    settings: Settings, request: Request, folder: Path, listener: "ProgressBar | JsonEvents"
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The Context and the `done` event. Raises EngineError."""
    config = config_for(settings, folder)
    try:
        with EngineProcess("run", request, config) as process:
            for event in process.events():
                if event is None:
                    continue
                if event["type"] == "error":
                    raise EngineError.from_info(event)
                if event["type"] == "done":
                    return json.loads((folder / "context.json").read_text("utf-8")), event
                listener.take(event)
    finally:
        forget_uploads(config)
    raise EngineError("INTERNAL")


def stem(source: str) -> str:
    """A file name for the results: the file's own, or the last part of the link."""
    name = source.split("?")[0].rstrip("/").rsplit("/", 1)[-1] if "://" in source else Path(source).stem
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name)[:80] or "context"


def deliver(context: dict[str, Any], name: str, formats: list[str], out: Path | None, to_stdout: bool) -> list[str]:
    """Writes each format; the paths written, if any."""
    if out is None and to_stdout and len(formats) == 1:
        sys.stdout.write(render(context, formats[0]))
        return []
    paths = [target(name, each, out, len(formats)) for each in formats]
    for path, each in zip(paths, formats, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(context, each), "utf-8")
    return [str(path) for path in paths]


def target(name: str, format: str, out: Path | None, how_many: int) -> Path:
    if out and how_many == 1 and not out.is_dir():
        return out
    return (out or Path()) / f"{name}.{format}"


def render(context: dict[str, Any], format: str) -> str:
    to_text, _ = FORMATS[format]
    return to_text(context)


class JsonEvents:
    """Each event as one line of JSON; the last one names the files that were written."""

    def __init__(self, output: TextIO):
        self.output, self.run_id = output, ""

    def clear(self) -> None:
        """Nothing is drawn over."""

    def take(self, event: dict[str, Any]) -> None:
        self.run_id = event["runId"]
        print(json.dumps(event, ensure_ascii=False), file=self.output, flush=True)

    def end(self, done: dict[str, Any], files: list[str]) -> None:
        self.take({**done, "files": files})

    def fail(self, error: EngineError) -> int:
        self.take({"type": "error", "runId": self.run_id or "run", "t": clock.now_ms(), **error.info()})
        return error.row.exit


class ProgressBar:
    """One line that is drawn over while the run goes on; plain lines where the output is not a terminal."""

    def __init__(self, output: TextIO):
        self.output, self.live = output, output.isatty()
        self.stage = ""

    def take(self, event: dict[str, Any]) -> None:
        if event["type"] == "warning":
            self.line(f"warning: {event['message']}")
        elif event["type"] == "stage" and event["status"] == "start":
            self.stage = event["stage"]
            if not self.live:
                self.line(self.stage)
        elif event["type"] == "progress" and self.live:
            self.draw(event["progress"])

    def draw(self, share: float) -> None:
        full = round(share * BAR_CELLS)
        self.output.write(f"\r\x1b[K{'█' * full}{'░' * (BAR_CELLS - full)} {share:4.0%} {self.stage}")
        self.output.flush()

    def line(self, text: str) -> None:
        self.clear()
        print(text, file=self.output, flush=True)

    def clear(self) -> None:
        if self.live:
            self.output.write("\r\x1b[K")

    def end(self, done: dict[str, Any], files: list[str]) -> None:
        self.clear()
        for path in files:
            self.line(f"wrote {path}")

    def fail(self, error: EngineError) -> int:
        self.line(f"error: {error.message} [{error.code}]")
        if error.hint:
            self.line(error.hint)
        return error.row.exit
