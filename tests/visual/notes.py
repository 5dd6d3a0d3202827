"""Runs the visual stage over a file, in a folder of its own or one that is there already."""

import tempfile
from pathlib import Path
from typing import Any

from svc.engine.request import Config, Options, Request
from svc.engine.run import Run
from svc.engine.seen import Seen
from svc.engine.visual import watch


def make_run(folder: Path, fps=None, max_scenes=None, max_seconds=None) -> tuple[Run, list[dict[str, Any]]]:
    """A run at its visual stage, and the events it emits."""
    events: list[dict[str, Any]] = []
    options = Options(fps=fps, max_scenes=max_scenes)
    request = Request("file", "talk.mp4", mode="visual", options=options, max_seconds=max_seconds)
    run = Run(request, Config(models_dir=str(folder), work_dir=str(folder)), events.append)
    run.current = "visual"
    return run, events


def notes(path: Path, **options: Any) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        return watch(make_run(Path(folder), **options)[0], path)


def texts(seen: Seen) -> list[list[str]]:
    """The lines of every scene."""
    return [scene.text for scene in seen.scenes]


def squeezed(lines: list[str]) -> list[str]:
    """Without blanks, which the reader sometimes loses."""
    return [line.replace(" ", "") for line in lines]
