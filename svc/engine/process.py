"""A run in a process of its own: killable at any instant, with limits on memory, processor time and file size.

The parent writes one JSON line (action, request, config) and reads events, one JSON object a line; the last one is
`done`, `error`, `resolved` or `answered`. The child ends when its standard input closes: it never outlives its parent.
"""

import gc
import json
import logging
import os
import resource
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from svc.core.errors import EngineError
from svc.engine.request import Config, Request
from svc.engine.run import Run

log = logging.getLogger("svc.engine")

ADDRESS_SPACE_BYTES = 8 << 30
CPU_SECONDS = 12 * 3600
NICENESS = 5
GARBAGE_AFTER = 50_000  # new objects; imports, most of a short run, make many and leave none behind
SHORT_WAITS = (1.0,)  # somebody waits for the answer
FINAL = ("done", "error", "resolved", "answered")
TOO_LATE = {"resolve": "The link took too long to answer.", "ask": "The answer took too long."}
ASK_BYTES, ASK_SECONDS = 2 << 30, 60  # memory and processor time of one question


class EngineProcess:
    """One child: `with EngineProcess("run", request, config) as child: for event in child.events(): ...`

    Leaving the block kills the child and everything it started.
    """

    def __init__(self, action: str, request: Request, config: Config):
        self.run_id, self.action = request.run_id, action
        self.child = subprocess.Popen(
            [sys.executable, "-m", "svc.engine.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        task = {"action": action, "request": request.to_json(), "config": config.to_json()}
        try:
            self.stdin.write(json.dumps(task).encode() + b"\n")
            self.stdin.flush()
        except BrokenPipeError:
            log.error("the engine process ended before it read its task")

    @property
    def stdin(self) -> Any:
        return self.child.stdin

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        with suppress(BrokenPipeError):  # of a task that the child never read
            self.stdin.close()
        if self.child.stdout:
            self.child.stdout.close()

    def events(self, tick: float = 0.5) -> Iterator[dict[str, Any] | None]:
        """Every event as it comes, and None at each tick without one. Raises EngineError when the child just dies."""
        for line in self._lines(tick):
            if line is None:
                yield None
                continue
            event = json.loads(line)
            yield event
            if event["type"] in FINAL:
                return
        raise self._death()

    def _lines(self, tick: float) -> Iterator[bytes | None]:
        pipe = self.child.stdout
        assert pipe is not None
        buffer = b""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while True:
                if not selector.select(tick):
                    yield None
                    continue
                data = os.read(pipe.fileno(), 1 << 16)
                if not data:
                    return
                *lines, buffer = (buffer + data).split(b"\n")
                yield from lines

    def _death(self) -> EngineError:
        code = self.child.wait()
        log.error("the engine process of %s ended with %s", self.run_id, code)
        if code == -signal.SIGXCPU:
            return EngineError("TIMEOUT", "The run used up its processor time.")
        return EngineError("INTERNAL", "The engine process ended unexpectedly.")


def final_event(process: EngineProcess, deadline: float) -> dict[str, Any]:
    """The last event of a short action, such as `resolved`. Raises the action's EngineError, or TIMEOUT."""
    end = time.monotonic() + deadline
    for event in process.events():
        if event and event["type"] == "error":
            raise EngineError.from_info(event)
        if event and event["type"] in FINAL:
            return event
        if time.monotonic() > end:
            raise EngineError("TIMEOUT", TOO_LATE.get(process.action), stage=process.action)
    raise EngineError("INTERNAL")


def main() -> None:
    """The child's side."""
    gc.set_threshold(GARBAGE_AFTER)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):
        return  # the parent was killed before it had said what to do
    events, task = os.fdopen(os.dup(1), "wb"), json.loads(line)
    os.dup2(2, 1)
    threading.Thread(target=end_with_parent, daemon=True).start()
    request, config = Request.from_json(task["request"]), Config.from_json(task["config"])
    limit_resources(config)
    lock = threading.Lock()

    def sink(event: dict[str, Any]) -> None:
        with lock:
            events.write(json.dumps(event, ensure_ascii=False).encode() + b"\n")
            events.flush()

    perform(ACTIONS[task["action"]], Run(request, config, sink))


def end_with_parent() -> None:
    """Ends this process when the parent's end of standard input closes."""
    while os.read(0, 4096):
        pass
    os.killpg(os.getpgrp(), signal.SIGKILL)


def limit_resources(config: Config) -> None:
    lower_limit(resource.RLIMIT_AS, ADDRESS_SPACE_BYTES)
    lower_limit(resource.RLIMIT_CPU, CPU_SECONDS)
    lower_limit(resource.RLIMIT_FSIZE, config.max_media_bytes + (1 << 20))
    lower_limit(resource.RLIMIT_CORE, 0)
    os.nice(NICENESS)


def lower_limit(kind: int, value: int) -> None:
    """Sets a limit, never above what this process was given."""
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def perform(action: Callable[[Run], None], run: Run) -> None:
    """Runs the action; whatever goes wrong becomes one `error` event. This is the process boundary."""
    try:
        action(run)
    except EngineError as error:
        report(error, run)
    except MemoryError:
        report(EngineError("TOO_LARGE", "This media needs more memory than a run may use."), run)
    except Exception:
        log.exception("run %s failed", run.request.run_id)
        report(EngineError("INTERNAL"), run)


def report(error: EngineError, run: Run) -> None:
    error.stage = error.stage or run.current
    for_operator = {"operator": error.operator} if error.operator else {}
    run.emit("error", **error.info(), **for_operator)


def run_pipeline(run: Run) -> None:
    from svc.engine.pipeline import Pipeline

    Pipeline(run).run()


def resolve(run: Run) -> None:
    from svc.engine.resolve import Source

    with run.stage("resolve"), Source(run, SHORT_WAITS, measure=True) as source:
        run.emit("resolved", facts=source.facts().to_json())


def ask(run: Run) -> None:
    """Answers the question of `ask.json` in the run's folder: {question, context}, the Context valid already."""
    from svc.engine.ask.answer import answer

    lower_limit(resource.RLIMIT_AS, ASK_BYTES)
    lower_limit(resource.RLIMIT_CPU, ASK_SECONDS)
    run.current = "ask"
    task = json.loads((run.folder / "ask.json").read_text("utf-8"))
    run.emit("answered", **answer(run, task["question"], task["context"]), usage=run.usage_so_far())


ACTIONS = {"run": run_pipeline, "resolve": resolve, "ask": ask}

if __name__ == "__main__":
    main()
