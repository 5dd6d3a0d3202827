"""One key, one job: a repeated request gets the job of the first, and those that come together wait for it."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from svc.core import clock
from svc.core.errors import Refusal
from svc.jobs.models import Idempotency, Job

KEY = re.compile(r"[A-Za-z0-9_.:-]{1,200}")
HOUR_MS = 3_600_000


class NamedLocks:
    """A lock for each name in use, forgotten when nobody holds or awaits it."""

    def __init__(self) -> None:
        self.guard, self.locks, self.users = Lock(), dict[object, Lock](), Counter[object]()

    @contextmanager
    def held(self, name: object) -> Iterator[None]:
        with self.guard:
            lock = self.locks.setdefault(name, Lock())
            self.users[name] += 1
        try:
            with lock:
                yield
        finally:
            with self.guard:
                self.users[name] -= 1
                if not self.users[name]:
                    del self.users[name], self.locks[name]


def checked_key(header: str | None) -> str | None:
    """The header's value. Raises 400 for one that is empty, too long or has other characters."""
    if header is not None and not KEY.fullmatch(header):
        message = "Idempotency-Key must be 1 to 200 letters, digits, or any of _ . : -"
        raise Refusal("invalid_request", message, field="Idempotency-Key")
    return header


def body_hash(body: Any) -> str:
    """The same for bodies that parse to the same value."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def earlier_job(owner: str, key: str, body: Any, hours: int) -> Job | None:
    """The job that this key made before. Raises 422 `idempotency_key_reused` when it came with another body."""
    known = Idempotency.get_or_none(
        (Idempotency.owner == owner)
        & (Idempotency.key == key)
        & (Idempotency.created_at > clock.now_ms() - hours * HOUR_MS)
    )
    if known is None:
        return None
    if known.body_hash != body_hash(body):
        raise Refusal("idempotency_key_reused", "This Idempotency-Key came with another body before.")
    return Job.get_or_none(Job.id == known.job_id)


def remember(owner: str, key: str, body: Any, job: Job) -> None:
    """Binds the key to the job, in the transaction that makes the job."""
    Idempotency.replace(
        owner=owner, key=key, body_hash=body_hash(body), job_id=job.id, created_at=job.created_at
    ).execute()
