"""DELETE of a job: a waiting one is canceled, a running one is stopped, an ended one is erased."""

from svc.accounts.caller import Caller
from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.settings import Settings
from svc.jobs import watch
from svc.jobs.finish import cancel_queued
from svc.jobs.models import ENDED, Event, Job
from svc.jobs.results import erase_files
from svc.jobs.stored import forget_unshared
from svc.jobs.uploads import remove_with


def refuse_stranger(caller: Caller, job: Job) -> None:
    if job.owner != caller.owner:
        raise Refusal("not_owner", "Only who created this job may cancel or delete it.")


def stop(settings: Settings, job: Job) -> Job:
    """Cancels a waiting or running job and waits a while for its end; returns it as it then is."""
    request(job.id)
    wait_for_end(job.id, settings.limits.service.cancel_wait_seconds)
    return Job.get_by_id(job.id)


def request(job_id: str) -> None:
    """Cancels a waiting job, or asks for the end of a running one. One transaction: a worker may take it or put it
    back at any time."""
    with db.atomic():
        if not cancel_queued(job_id):
            Job.update(cancel_requested=True).where((Job.id == job_id) & (Job.status == "running")).execute()


def wait_for_end(job_id: str, seconds: float) -> None:
    with watch.subscribe(job_id) as subscription:
        subscription.wait_until(lambda: has_ended(job_id), seconds)


def has_ended(job_id: str) -> bool:
    return Job.select(Job.id).where((Job.id == job_id) & Job.status.in_(ENDED)).exists()


def erase(settings: Settings, job: Job) -> None:
    """Removes an ended job with its result, its events and its files."""
    remove_with(settings, job)
    with db.atomic():
        Event.delete().where(Event.job_id == job.id).execute()
        job.delete_instance()
    erase_files(settings, job)
    forget_unshared(settings, job.content_id)
