"""A failed or canceled job once more, at the operator's word: priced and paid for as if it had just been made."""

from svc.accounts.caller import Caller, caller_of
from svc.core import clock
from svc.core.database import db
from svc.core.operator import CommandError
from svc.core.settings import Settings
from svc.engine.facts import Facts
from svc.jobs import create, events, funds, queue, takedown, uploads
from svc.jobs.engine_calls import request_for
from svc.jobs.models import Job

MAY_RESTART = ("failed", "canceled")
ANEW = {
    "status": "queued",
    "stage": None,
    "progress": None,
    "cache_hit": None,
    "error": None,
    "attempt": 0,
    "cancel_requested": False,
    "started_at": None,
    "finished_at": None,
}


def restart(settings: Settings, job: Job) -> Job:
    """Queues the job again. Raises CommandError, Refusal or EngineError with a sentence that says why it cannot."""
    caller = owner_of(settings, job)
    refuse_state(job)
    facts = Facts.from_json(job.facts)
    takedown.refuse(facts, None if job.upload_id else job.location)
    create.refuse_too_long(facts, caller)
    quoted, priced = create.price(settings, caller, request_for(settings, job), facts, job.options)
    with db.atomic():
        refuse_state(Job.get_by_id(job.id))
        if job.upload_id:
            create.bind(caller, uploads.usable(caller, job.upload_id), job)
        funds.hold(caller, quoted, job.id)
        Job.update(**ANEW, **priced).where(Job.id == job.id).execute()
        events.take_back_end(job.id)
        events.append(job.id, "requeued", attempt=job.attempt, reason="The operator asked for it.")
    queue.wake(settings)
    return Job.get_by_id(job.id)


def owner_of(settings: Settings, job: Job) -> Caller:
    caller = caller_of(job.owner, settings)
    if caller is None:
        raise CommandError("The account that this job belonged to is gone.")
    return caller


def refuse_state(job: Job) -> None:
    if job.status not in MAY_RESTART:
        raise CommandError(f"Only a failed or canceled job can be queued again; this one is {job.status}.")
    if job.expires_at <= clock.now_ms():
        raise CommandError("This job has expired.")
