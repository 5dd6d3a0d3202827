"""Who may read a job."""

import peewee

from svc.accounts.caller import Caller
from svc.core import clock
from svc.core.errors import Refusal
from svc.core.ids import JOB_ID
from svc.jobs import takedown
from svc.jobs.models import Job, Takedown


def readable(job_id: str, who: Caller) -> Job:
    """The job, if the caller may read it. Raises 400, 404, 410 or 451."""
    if not JOB_ID.fullmatch(job_id):
        raise Refusal("invalid_request", "This is not a job id.", field="id")
    job = Job.find(job_id)
    if job is None or not (job.owner.startswith("anon:") or job.owner == who.owner):
        raise Refusal("not_found", "There is no such job.")
    if job.expires_at <= clock.now_ms():
        raise Refusal("job_expired", "This job has expired and its result is gone.")
    if takedown.is_blocked(takedown.names_of(job)):
        raise takedown.blocked()
    return job


def is_still_readable(job: Job, who: Caller) -> bool:
    """Whether a caller who could read the job still can. One query: every open stream asks this every few seconds."""
    blocked = Takedown.select().where(Takedown.name.in_([name for name in takedown.names_of(job) if name]))
    there = (Job.id == job.id) & (Job.expires_at > clock.now_ms())
    return Job.select().where(there & who.is_still_good() & ~peewee.fn.EXISTS(blocked)).exists()
