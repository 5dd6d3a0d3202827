"""`svc worker`: threads that take jobs from the table, woken by the queue, and the chores that come with it."""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence

from huey.consumer import Consumer

from svc.core import database
from svc.core.settings import SettingError, Settings, load
from svc.jobs import watch
from svc.jobs.claim import claim_next, release_orphans
from svc.jobs.models import Job
from svc.jobs.queue import Queue
from svc.jobs.run import run_job
from svc.server import logs
from svc.server.lock import LockTakenError, held
from svc.server.sweep import sweep

log = logging.getLogger(__name__)

NUDGE_SECONDS = 15  # a message that was lost delays a job by this much at most
CHORE_SECONDS = 300
STOP_SECONDS = 7

Chore = Callable[[Settings], object]
CHORES: tuple[Chore, ...] = (sweep,)  # done at the start and every few minutes


def work(settings: Settings, supervised: bool = False) -> int:
    """Runs until SIGTERM or SIGINT; the exit code. `supervised`: waits for the lock, and leaves with its parent."""
    if supervised:
        threading.Thread(target=leave_with_parent, name="parent", daemon=True).start()
    try:
        logs.set_up(settings.log_level)
        with held(settings.data_dir / "worker.lock", wait=supervised):
            Worker(settings).run()
    except LockTakenError as error:
        return refuse(f"Another worker already uses {settings.data_dir} ({error}).")
    except SettingError as error:
        return refuse(str(error))
    return 0


def refuse(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return 1


def leave_with_parent() -> None:
    """Standard input is the supervisor's pipe: nothing comes through it, and it ends when the supervisor dies."""
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


class GracefulConsumer(Consumer):
    """Huey's consumer that also tells running jobs to stop. Any of the usual signals stops it."""

    def __init__(self, queue: Queue, threads: int, stopping: threading.Event):
        super().__init__(
            queue.huey,
            workers=threads,
            periodic=False,
            scheduler_interval=60,
            graceful_signal="TERM",
            shutdown_timeout=STOP_SECONDS,
        )
        self.stopping = stopping
        self._signal_actions = dict.fromkeys((signal.SIGTERM, signal.SIGINT, signal.SIGHUP), (False, True))

    def stop(self, graceful: bool = False) -> None:
        self.stopping.set()
        super().stop(graceful)


class Worker:
    """The one worker of a data directory. The caller holds the lock and so vouches that no other runs."""

    def __init__(self, settings: Settings, chores: Sequence[Chore] = CHORES):
        self.settings, self.chores = settings, chores
        self.stopping = threading.Event()
        self.in_hand: set[str] = set()
        self.taking = threading.Lock()

    def run(self) -> None:
        database.connect(self.settings)
        database.migrate(self.settings)
        watch.connect(self.settings)
        self.release_lost(self.settings)
        database.release()
        queue = Queue(self.settings, self.look_for_work)
        queue.listen()
        threading.Thread(target=self.tick, args=(queue,), name="ticker", daemon=True).start()
        GracefulConsumer(queue, self.settings.workers, self.stopping).run()

    def look_for_work(self) -> None:
        """Takes jobs until there is none that may run now."""
        try:
            while not self.stopping.is_set() and (job := self.take()):
                try:
                    run_job(self.settings, job, self.stopping)
                finally:
                    self.in_hand.discard(job.id)
        finally:
            database.release()

    def take(self) -> Job | None:
        with self.taking:
            job = claim_next()
            if job:
                self.in_hand.add(job.id)
            return job

    def release_lost(self, settings: Settings) -> None:
        """Back into the queue goes what a dead worker left running, or a thread that could not even write its end."""
        with self.taking:
            lost = release_orphans(settings.limits.service.job_attempts, self.in_hand)
        if lost:
            log.warning("%d interrupted jobs were taken back", lost)

    def tick(self, queue: Queue) -> None:
        """The safety net under the wake-ups, and the chores."""
        for _ in range(self.settings.workers):
            queue.wake()
        next_chores = 0.0
        while True:
            if time.monotonic() >= next_chores:
                self.do(self.chores)
                next_chores = time.monotonic() + CHORE_SECONDS
            if self.stopping.wait(NUDGE_SECONDS):
                return
            self.do([self.release_lost])
            queue.wake()

    def do(self, chores: Sequence[Chore]) -> None:
        for chore in chores:
            try:
                chore(self.settings)
            except Exception:  # noqa: BLE001 - the thread's boundary: one chore must not end the others
                log.exception("a chore failed")
            finally:
                database.release()


if __name__ == "__main__":
    sys.exit(work(load(), supervised=True))
