"""One run of the engine as its stages see it: the request, a place to emit events, and finished parts on disk."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from svc.core import clock
from svc.core.errors import EngineError
from svc.engine.models.usage import Usage, dollars, note, noted
from svc.engine.request import Config, Request
from svc.engine.warnings import codes

# The share of the whole run's progress at which each stage ends; one that is left out gives its share to the next. With
# both sound and picture to come, the first takes half. A rough guide.
PROGRESS_ENDS = {
    "resolve": 0.02,
    "download": 0.1,
    "extract": 0.12,
    "transcribe": 0.9,
    "visual": 0.95,
    "synthesize": 1.0,
}
FULL_PROGRESS_ENDS = {**PROGRESS_ENDS, "transcribe": 0.5}


class Run:
    """Carries one run: stages call `emit`, `warn`, `progress` and `part`; nothing else leaves the engine."""

    def __init__(self, request: Request, config: Config, sink: Callable[[dict[str, Any]], None]):
        self.request, self.config, self.sink = request, config, sink
        self.folder = Path(config.work_dir)
        self.warnings: list[dict[str, Any]] = []
        self.raised: list[dict[str, Any]] = []
        self.ms: dict[str, int] = {}
        self.current = "resolve"
        self.heard_seconds = self.watched_seconds = 0.0
        self._progress = self._progress_before = 0.0
        self._spending = threading.Lock()

    def emit(self, type: str, **fields: Any) -> None:
        self.sink({"type": type, "runId": self.request.run_id, "t": clock.now_ms(), **fields})

    def warn(self, code: str, message: str, **data: Any) -> None:
        """Notes a warning of the contract; the first of a code is in the Context, and an event.

        Raises ValueError for a code that is not the contract's.
        """
        if code not in codes():
            raise ValueError(f"{code} is no code of a warning")
        warning = {"code": code, "message": message, "data": data}
        self.raised.append(warning)
        if all(noted["code"] != code for noted in self.warnings):
            self.warnings.append(warning)
            self.emit("warning", **warning)

    def tell_retry(self, attempt: int, delay: float, code: str, message: str) -> None:
        """Tells that the current stage tries something again, after so many seconds."""
        self.emit(
            "retry",
            stage=self.current,
            attempt=attempt,
            delayMs=round(delay * 1000),
            code=code,
            message=message,
        )

    def spend(self, usage: Usage) -> None:
        """Notes what a call to a model used; with what earlier attempts used, it outlives this process."""
        with self._spending:
            note(self.folder, usage)
        self.emit("usage", **self.usage_so_far())

    def usage_so_far(self) -> dict[str, Any]:
        """The contract's `usage` object."""
        total = self.usage()
        return {
            "audioSeconds": round(self.heard_seconds, 3),
            "videoSeconds": round(self.watched_seconds, 3),
            "tokens": total.tokens(),
            "usdEstimate": dollars(total.usd),
        }

    def usage(self) -> Usage:
        """The sum of all calls so far, those of earlier attempts included."""
        return noted(self.folder)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Names the step under way: its start and end become events, and errors inside it carry its name."""
        self.current, began, self._progress_before = name, time.monotonic(), self._progress
        self.emit("stage", stage=name, status="start", detail="", ms=0)
        try:
            yield
        except EngineError as error:
            error.stage = error.stage or name
            self.emit("stage", stage=name, status="failed", detail=error.message, ms=elapsed_ms(began))
            raise
        self.ms[name] = elapsed_ms(began)
        self.progress(1, 1, "stage")
        self.emit("stage", stage=name, status="done", detail="", ms=self.ms[name])

    def skip(self, name: str, reason: str) -> None:
        self.emit("stage", stage=name, status="skipped", detail=reason, ms=0)

    def progress(self, done: float, total: float | None, unit: str) -> None:
        """How far the current stage is; the run's own share follows from it and never falls."""
        ends = FULL_PROGRESS_ENDS if self.request.mode == "full" else PROGRESS_ENDS
        begin, share = self._progress_before, min(1.0, done / total) if total else 0.0
        self._progress = max(self._progress, begin + (ends[self.current] - begin) * share)
        self.emit(
            "progress",
            stage=self.current,
            progress=round(self._progress, 4),
            done=round(done, 3),
            total=None if total is None else round(total, 3),
            unit=unit,
        )

    def part(self, name: str, make: Callable[[], Any]) -> tuple[Any, bool]:
        """A finished part by name: read when it is there already, else made and kept. Says whether it was there.

        Parts are JSON. Those in `parts/` were made by this run or an earlier attempt of it; those in `stored/`
        were laid out for it by its caller.
        """
        own, stored = self.folder / "parts" / f"{name}.json", self._stored_path(name)
        if own.exists():
            return json.loads(own.read_text("utf-8")), True
        if stored.exists():
            return json.loads(stored.read_text("utf-8")), True
        value = make()
        own.parent.mkdir(parents=True, exist_ok=True)
        half = own.with_suffix(".half")
        half.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
        half.replace(own)
        return value, False

    def parts_below(self, name: str) -> int:
        """How many parts `name/…` with a number for a name there are."""
        return len(list((self.folder / "parts" / name).glob("[0-9]*.json")))

    def is_stored(self, name: str) -> bool:
        return self._stored_path(name).exists()

    def _stored_path(self, name: str) -> Path:
        return self.folder / "stored" / f"{name}.json"


def elapsed_ms(began: float) -> int:
    return int((time.monotonic() - began) * 1000)
