"""A job's event stream: what is stored is replayed, then what comes is sent, until the job's last event.

It ends without one when its reader may not read it any more.
"""

import time
from collections.abc import Callable, Iterator

from svc.core.database import db
from svc.core.limits import EVENT_RETRY_MS
from svc.jobs import events, watch
from svc.jobs.models import ENDED, Job

PING = b": ping\n\n"


def lines(
    job_id: str, after: int, subscription: watch.Subscription, ping_seconds: float, may_read: Callable[[], bool]
) -> Iterator[bytes]:
    """The stream's bytes. Each batch is read in a short transaction of its own, none is held while waiting.

    `may_read` is asked again whenever a ping is due, be it that events come instead.
    """
    yield b"retry: %d\n\n" % EVENT_RETRY_MS
    asked = time.monotonic()
    while True:
        with db.connection_context():
            if time.monotonic() - asked >= ping_seconds:
                if not may_read():
                    return
                asked = time.monotonic()
            batch = events.after(job_id, after)
            over = not batch and has_ended(job_id)
            if over:  # it may have ended since the first look
                batch = events.after(job_id, after)
        if batch:
            yield b"".join(encode(*event) for event in batch)
            after = batch[-1][0]
        if over or (batch and batch[-1][1] in events.TERMINAL):
            return
        if len(batch) < events.BATCH and not subscription.wait(after, ping_seconds):
            if subscription.closed:
                return
            yield PING


def encode(seq: int, type: str, data: str) -> bytes:
    return f"id: {seq}\nevent: {type}\ndata: {data}\n\n".encode()


def has_ended(job_id: str) -> bool:
    job = Job.find(job_id)
    return job is None or job.status in ENDED
