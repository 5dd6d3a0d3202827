"""The queue: a Huey message means "look for work". The jobs table is the truth, so a lost message loses nothing."""

import logging
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from huey import Huey
from huey.storage import SqliteStorage

from svc.core.database import keep_private
from svc.core.settings import Settings
from svc.jobs.bell import Bell

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # an idle worker thread looks this often even when no bell is heard


class WakingStorage(SqliteStorage):
    """Huey's SQLite storage whose `dequeue` blocks until a message is rung in, instead of sleeping and polling."""

    blocking = True

    def __init__(self, name: str, filename: str, bell: Bell, look_seconds: float = LOOK_SECONDS, **options: Any):
        self.bell, self.look_seconds = bell, look_seconds
        super().__init__(name, filename=filename, **options)

    def _create_connection(self) -> sqlite3.Connection:
        connection = super()._create_connection()
        connection.execute("pragma synchronous=normal")
        return connection

    def enqueue(self, data: bytes, priority: float | None = None) -> None:
        super().enqueue(data, priority)
        self.bell.ring()

    def dequeue(self) -> bytes | None:
        if message := super().dequeue():
            return message
        if self.bell.wait(self.look_seconds):
            self.bell.take_one()
        return super().dequeue()


def no_worker() -> None:
    raise RuntimeError("this process is not a worker")


class Queue:
    """One process's end of the queue. A worker passes `look_for_work`; every other process only wakes workers."""

    def __init__(self, settings: Settings, look_for_work: Callable[[], None] = no_worker):
        self.huey = make_huey(settings)

        def nudge() -> None:
            look_for_work()

        self.nudge = self.huey.task(name="nudge")(nudge)

    def wake(self) -> None:
        """Never fails: without it the worker finds the job at its next look."""
        try:
            self.nudge()
        except (sqlite3.Error, OSError):
            log.warning("no worker was woken", exc_info=True)

    def listen(self) -> None:
        """From now on this process hears `wake` at once."""
        self.huey.storage.bell.listen()


def make_huey(settings: Settings) -> Huey:
    """The one place that knows what the queue is made of."""
    bell = Bell(settings.data_dir / "queue.sock")
    path = settings.data_dir / "queue.db"
    keep_private(path)
    return Huey("svc", storage_class=WakingStorage, results=False, filename=str(path), bell=bell)


queues: dict[Path, Queue] = {}
queues_lock = threading.Lock()


def wake(settings: Settings) -> None:
    """Tells a worker to look for work. Call it after the job's transaction has been committed."""
    with queues_lock:
        queue = queues.get(settings.data_dir) or queues.setdefault(settings.data_dir, Queue(settings))
    queue.wake()
