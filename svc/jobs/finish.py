"""The three ends of a job. Each is one transaction with its last event, and only of the attempt that is running."""

from typing import Any

import peewee

from svc.core import clock
from svc.core.database import db
from svc.core.errors import EngineError
from svc.jobs import events
from svc.jobs.models import Job, Upload


def succeed(job: Job, done: dict[str, Any], charged_micro: int, cache_hit: bool) -> bool:
    """Marks the job succeeded with the engine's `done` event. False when the job is no longer this attempt's."""
    with db.atomic():
        ended = end(job, status="succeeded", progress=1.0, charged_micro=charged_micro, cache_hit=cache_hit, error=None)
        if ended:
            events.add(job.id, done)
    return ended


def fail(job: Job, error: EngineError) -> None:
    """Marks a running job failed, or canceled when that is what the error says. The upload stays for a retry."""
    status = "canceled" if error.code == "CANCELLED" else "failed"
    with db.atomic():
        if end(job, status=status, error=error.info(), cache_hit=False):
            Upload.update(job_id=None).where(Upload.job_id == job.id).execute()
            events.append(job.id, "error", **error.info())


def end(job: Job, **changes: Any) -> bool:
    return bool(Job.update(finished_at=clock.now_ms(), **changes).where(this_attempt(job)).execute())


def this_attempt(job: Job) -> peewee.Expression:
    """The job's row, as long as the attempt that we know of is the one that runs."""
    return (Job.id == job.id) & (Job.status == "running") & (Job.attempt == job.attempt)


def cancel_queued(job_id: str) -> bool:
    """Cancels a job that no worker has taken. False when one has."""
    error = EngineError("CANCELLED", stage="queued")
    with db.atomic():
        canceled = (
            Job.update(status="canceled", error=error.info(), cache_hit=False, finished_at=clock.now_ms())
            .where((Job.id == job_id) & (Job.status == "queued"))
            .execute()
        )
        if canceled:
            Upload.update(job_id=None).where(Upload.job_id == job_id).execute()
            events.append(job_id, "error", **error.info())
    return bool(canceled)
