"""DELETE of a job: a waiting one is canceled, a running one is stopped, an ended one is erased."""

import time
from contextlib import closing

from svc.accounts.caller import Caller
from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.settings import Settings
from svc.jobs import watch
from svc.jobs.finish import cancel_queued
from svc.jobs.models import ENDED, Event, Job, Upload
from svc.jobs.results import erase_files
from svc.jobs.uploads import remove


def refuse_stranger(caller: Caller, job: Job) -> None:
    if job.owner != caller.owner:
        raise Refusal("not_owner", "Only who created this job may cancel or delete it.")


def stop(settings: Settings, job: Job) -> Job:
    """Cancels a waiting or running job and waits a while for its end; returns it as it then is."""
    if cancel_queued(job.id):
        return Job.get_by_id(job.id)
    Job.update(cancel_requested=True).where((Job.id == job.id) & (Job.status == "running")).execute()
    return wait_for_end(job.id, settings.limits.service.cancel_wait_seconds)


def wait_for_end(job_id: str, seconds: float) -> Job:
    """The job as it is when it has ended, or after so many seconds."""
    end = time.monotonic() + seconds
    with closing(watch.subscribe(job_id)) as subscription:
        while (job := Job.get_by_id(job_id)).status not in ENDED and time.monotonic() < end:
            subscription.wait(job.events, end - time.monotonic())
    return job


def erase(settings: Settings, job: Job) -> None:
    """Removes an ended job with its result, its events and its files."""
    for upload in Upload.select().where(Upload.job_id == job.id):
        remove(settings, upload)
    with db.atomic():
        Event.delete().where(Event.job_id == job.id).execute()
        job.delete_instance()
    erase_files(settings, job.id)
