"""Keeps one child process alive, and ends it with its whole process group."""

import contextlib
import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence

log = logging.getLogger(__name__)

FIRST_DELAY_SECONDS = 0.4
LONGEST_DELAY_SECONDS = 10.0
STEADY_SECONDS = 30  # a child that lived this long starts the delays from the first again


class Supervisor:
    """Runs `command`, again after each death, with growing pauses.

    The child's standard input is a pipe that nothing is written to: it ends when this process dies,
    however it dies. The child leads a process group of its own, so that what it started goes with it.
    """

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]):
        self.command, self.environ = list(command), dict(environ)
        self.stopping = threading.Event()
        self.child: subprocess.Popen[bytes] | None = None
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.run, name="supervisor", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop_soon(self) -> None:
        """Asks the child to finish. Never waits."""
        with self.lock:
            self.stopping.set()
            if self.child is not None:
                self.child.terminate()

    def join(self, seconds: float) -> None:
        """Waits for the child to finish and kills it after `seconds`."""
        if self.child is None:
            return
        self.thread.join(seconds)
        if self.thread.is_alive():
            log.warning("the worker did not finish in time and is killed")
            kill_group(self.child.pid)
            self.thread.join()

    def run(self) -> None:
        delay = FIRST_DELAY_SECONDS
        while child := self.spawn():
            started = time.monotonic()
            code = child.wait()
            kill_group(child.pid)
            if self.stopping.is_set():
                break
            if time.monotonic() - started > STEADY_SECONDS:
                delay = FIRST_DELAY_SECONDS
            log.error("the worker ended with %d, the next one starts in %.1f s", code, delay)
            self.stopping.wait(delay)
            delay = min(delay * 2, LONGEST_DELAY_SECONDS)

    def spawn(self) -> subprocess.Popen[bytes] | None:
        with self.lock:
            if self.stopping.is_set():
                return None
            if self.child is not None and self.child.stdin is not None:
                self.child.stdin.close()
            self.child = subprocess.Popen(self.command, env=self.environ, stdin=subprocess.PIPE, start_new_session=True)
            return self.child


def kill_group(pid: int) -> None:
    """Ends what the child left behind: two workers must never run one job."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
