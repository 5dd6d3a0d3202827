"""The three ends of a job, each one transaction: its state, its charge, its last event; only of the running attempt."""

from typing import Any

import peewee

from svc.accounts import ledger
from svc.core import clock
from svc.core.database import db
from svc.core.errors import EngineError
from svc.core.settings import Settings
from svc.jobs import budget, events, funds, outcomes
from svc.jobs.models import Job, Upload


def succeed(settings: Settings, job: Job, context: dict[str, Any], done: dict[str, Any]) -> bool:
    """Marks the job succeeded and charges it. False when the running attempt is not this one any more."""
    meta, synthesis = context["meta"], context["synthesis"] or {}
    with db.atomic():
        ended = end(
            job,
            status="succeeded",
            progress=1.0,
            cache_hit=not any(funds.ran_for(job, tier) for tier in context["tiers"]),
            media_seconds=meta.get("durationSeconds"),
            title=synthesis.get("title") or meta.get("title"),
        )
        if ended:
            Job.update(charged_micro=funds.settle(settings, job, context)).where(Job.id == job.id).execute()
            budget.spend(job.owner, context["usage"]["usdEstimate"], job.id)
            listened = round(context["usage"]["audioSeconds"] * 1000)
            ledger.enter(job.owner, clock.day_key(), ledger.AUDIO, -listened, job.id)
            outcomes.note_success(job, context)
            events.add(job.id, done)
    return ended


def fail(job: Job, error: EngineError) -> None:
    """Marks a running job failed, or canceled when that is what the error says. The upload stays for a retry."""
    status = "canceled" if error.code == "CANCELLED" else "failed"
    with db.atomic():
        if end(job, status=status, error=error.info(), cache_hit=False):
            outcomes.note_failure(job, error)
            let_go(job.id, error)


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
            let_go(job_id, error)
    return bool(canceled)


def let_go(job_id: str, error: EngineError) -> None:
    """A job that ends without a result holds nothing: no minutes, no upload."""
    ledger.release(job_id)
    Upload.update(job_id=None).where(Upload.job_id == job_id).execute()
    events.append(job_id, "error", **error.info())
