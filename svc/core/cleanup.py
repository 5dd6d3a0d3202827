"""What may be deleted: it is found first and removed after, so that it can also be counted and left alone."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import peewee

from svc.core import clock
from svc.core.database import Model

Report = dict[str, dict[str, int]]
"""By kind, how many things were deleted (`count`) and how much disk that gives back (`bytes`)."""


@dataclass(frozen=True)
class Waste:
    """Something of a kind that may go. `bytes` is what it takes on disk; a row's room stays with the database."""

    kind: str
    remove: Callable[[], object]
    count: int = 1
    bytes: int = 0


def rows(kind: str, model: type[Model], over: peewee.Expression) -> Waste:
    """The rows of a table that meet a condition."""
    return Waste(kind, model.delete().where(over).execute, model.select().where(over).count())


def file(kind: str, path: Path) -> Waste:
    return Waste(kind, partial(path.unlink, missing_ok=True), bytes=size_of(path))


def size_of(path: Path) -> int:
    """The bytes of a file, or of all files below a folder; 0 when it is gone."""
    files = [found for found in path.rglob("*") if found.is_file()] if path.is_dir() else [path]
    total = 0
    for found in files:
        with suppress(FileNotFoundError):
            total += found.stat().st_size
    return total


def is_untouched(path: Path, for_ms: int) -> bool:
    """Whether nobody wrote it for so long. What is gone meanwhile is none of our business."""
    with suppress(FileNotFoundError):
        return clock.now_ms() - path.stat().st_mtime * 1000 > for_ms
    return False


def sweep(found: Iterable[Waste], dry_run: bool = False) -> Report:
    """Removes what was found, or only counts it."""
    report: Report = {}
    for waste in found:
        if not waste.count:
            continue
        if not dry_run:
            waste.remove()
        sums = report.setdefault(waste.kind, {"count": 0, "bytes": 0})
        sums["count"] += waste.count
        sums["bytes"] += waste.bytes
    return report
