"""How a worker gets its next job, and how a job gets back into the queue."""

from collections.abc import Collection

import peewee

from svc.core import clock
from svc.core.database import db
from svc.core.errors import EngineError
from svc.jobs import events
from svc.jobs.finish import fail, this_attempt
from svc.jobs.models import Job

Running = Job.alias()


def claim_next() -> Job | None:
    """The oldest queued job that may run, now marked running: one transaction.

    Its owner runs fewer than the plan's jobs, and no job is making the same layers just now.
    """
    running = Running.status == "running"
    busy = Running.select(peewee.fn.COUNT(Running.id)).where(running & (Running.owner == Job.owner))
    same_work = Running.select(Running.id).where(running & (Running.flight_key == Job.flight_key))
    oldest = (
        Job.select(Job.id)
        .where((Job.status == "queued") & (busy < Job.running_cap) & ~peewee.fn.EXISTS(same_work))
        .order_by(Job.created_at, Job.id)
        .limit(1)
    )
    with db.atomic():
        claimed = list(
            Job.update(status="running", attempt=Job.attempt + 1, started_at=clock.now_ms())
            .where(Job.id == oldest)
            .returning(Job)
            .execute()
        )
        for job in claimed:
            events.append(job.id, "started", attempt=job.attempt)
    return claimed[0] if claimed else None


def requeue(job: Job, reason: str, attempts: int) -> None:
    """Puts an interrupted job back. Ends it when its caller canceled it, or it was started often enough."""
    with db.atomic():
        if Job.select(Job.cancel_requested).where(this_attempt(job)).scalar():
            fail(job, EngineError("CANCELLED", stage=job.stage))
        elif job.attempt >= attempts:
            fail(job, EngineError("INTERNAL", f"The job was interrupted {job.attempt} times.", stage=job.stage))
        elif Job.update(status="queued").where(this_attempt(job)).execute():
            events.append(job.id, "requeued", attempt=job.attempt, reason=reason)


def release_orphans(attempts: int, in_hand: Collection[str] = ()) -> int:
    """Requeues what is marked running and is not `in_hand`. Only for the sole holder of the worker lock."""
    orphans = list(Job.select().where((Job.status == "running") & Job.id.not_in(list(in_hand))))
    for job in orphans:
        requeue(job, "The worker stopped.", attempts)
    return len(orphans)
