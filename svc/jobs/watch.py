"""One watcher wakes every open event stream: a bell when a job got an event, and a look at the table now and then.

A stream reads the rows itself and keeps no queue, so a slow reader costs no memory.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping

from svc.core.database import db
from svc.core.settings import Settings
from svc.jobs.bell import Bell
from svc.jobs.models import Job

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5


def latest_events(job_ids: Collection[str]) -> Mapping[str, int]:
    """The number of the last event of each job. Leaves no transaction open, which would hold up WAL checkpoints."""
    with db.connection_context():
        rows = Job.select(Job.id, Job.events).where(Job.id.in_(list(job_ids)))
        return {job.id: job.events for job in rows}


class Subscription:
    """One reader's interest in one job. As a context manager it closes itself."""

    def __init__(self, watcher: "Watcher", job_id: str):
        self.watcher, self.job_id = watcher, job_id
        self.latest = 0
        self.closed = False
        self.changed = threading.Condition()

    def wait(self, after: int, timeout: float) -> bool:
        """True as soon as there is an event above `after`; False after `timeout` seconds or once `closed`."""
        with self.changed:
            self.changed.wait_for(lambda: self.closed or self.latest > after, timeout)
            return not self.closed and self.latest > after

    def wait_until(self, holds: Callable[[], bool], timeout: float) -> bool:
        """Waits until `holds()`, asked anew at each event. False after `timeout` seconds or once `closed`."""
        end = time.monotonic() + timeout
        while True:
            seen = self.latest
            if holds():
                return True
            if not self.wait(seen, end - time.monotonic()):
                return holds()

    def poke(self, latest: int) -> None:
        with self.changed:
            if latest > self.latest:
                self.latest = latest
                self.changed.notify_all()

    def close(self) -> None:
        """Ends the wait, from any thread, any number of times."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        self.watcher.forget(self)

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Watcher:
    def __init__(
        self,
        bell: Bell,
        latest: Callable[[Collection[str]], Mapping[str, int]] = latest_events,
        look_seconds: float = LOOK_SECONDS,
    ):
        self.bell, self.latest, self.look_seconds = bell, latest, look_seconds
        self.lock = threading.Lock()
        self.subscriptions: set[Subscription] = set()
        self.thread: threading.Thread | None = None
        self.closed = False

    def subscribe(self, job_id: str) -> Subscription:
        """Subscribe first and read the rows after it: an event between the two then still wakes the reader."""
        subscription = Subscription(self, job_id)
        with self.lock:
            if self.closed:
                subscription.closed = True
                return subscription
            self.subscriptions.add(subscription)
            if self.thread is None:
                self.bell.listen()
                self.thread = threading.Thread(target=self.run, name="watcher", daemon=True)
                self.thread.start()
        return subscription

    def forget(self, subscription: Subscription) -> None:
        with self.lock:
            self.subscriptions.discard(subscription)

    def close(self) -> None:
        """Ends every wait, and every later one at once."""
        with self.lock:
            self.closed = True
            open_ones = list(self.subscriptions)
        for subscription in open_ones:
            subscription.close()

    def run(self) -> None:
        """Until nobody reads: an idle watcher ends, and the next subscription starts another."""
        next_look = 0.0
        while True:
            rung = self.bell.messages() if self.bell.wait(self.look_seconds) else set()
            if not (readers := self.readers()):
                return
            everyone = time.monotonic() >= next_look
            if everyone:
                next_look = time.monotonic() + self.look_seconds
            try:
                self.look([reader for reader in readers if everyone or reader.job_id in rung])
            except Exception:  # noqa: BLE001 - the thread's boundary: the next look may succeed
                log.exception("the watcher could not look")
                time.sleep(self.look_seconds)

    def readers(self) -> list[Subscription]:
        with self.lock:
            if not self.subscriptions:
                self.thread = None
                self.bell.stop_listening()
            return list(self.subscriptions)

    def look(self, readers: list[Subscription]) -> None:
        if not readers:
            return
        latest = self.latest({reader.job_id for reader in readers})
        for reader in readers:
            if reader.job_id not in latest:
                reader.close()  # the job is gone
            elif latest[reader.job_id] > reader.latest:
                reader.poke(latest[reader.job_id])


watcher = Watcher(Bell(None))


def connect(settings: Settings) -> None:
    """Hangs this process's bell, once at its start. A watcher costs nothing while nobody subscribes."""
    global watcher
    watcher.close()
    watcher = Watcher(Bell(settings.data_dir / "events.sock"))


def subscribe(job_id: str) -> Subscription:
    return watcher.subscribe(job_id)


def notify(job_id: str) -> None:
    """Tells the readers of this job, in whatever process, that it has a new event. Call it after the commit."""
    watcher.bell.ring(job_id)


def close() -> None:
    """Ends every stream of this process."""
    watcher.close()
