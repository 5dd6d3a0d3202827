"""Erasing all that an owner has: jobs with their results, uploads, and what is remembered of them."""

import time
from collections.abc import Callable

from svc.accounts import ledger, users
from svc.accounts.models import User
from svc.core import database, mail
from svc.core.database import db
from svc.core.settings import Settings
from svc.jobs import cancel, sources
from svc.jobs.models import ENDED, OPEN, Idempotency, Job, Upload
from svc.jobs.uploads import remove

Eraser = Callable[[User], None]

erasers: list[Eraser] = []


def with_account(erase: Eraser) -> Eraser:
    """Registers what a room above this one removes when an account is deleted."""
    erasers.append(erase)
    return erase


def delete_account(settings: Settings, user: User) -> bool:
    """Deletes the account and everything it owns. False while a job is still winding down: a later sweep erases it.

    The account goes first, so that nobody can act for it meanwhile; a crash in between leaves the rest to the sweep.
    """
    with db.atomic():
        for erase in erasers:
            erase(user)
        users.delete(user)
    mail.forget(settings, user.email)
    all_gone = erase_owner(settings, users.owner_of(user))
    database.scrub()
    return all_gone


def erase_owner(settings: Settings, owner: str) -> bool:
    """Stops the owner's jobs, waits for their end for as long as a cancel does, and erases all that has ended.

    Jobs of others that shared a run or its layers keep them. False when a job has not ended in that time.
    """
    stop_jobs(owner, settings.limits.service.cancel_wait_seconds)
    for job in list(Job.select().where((Job.owner == owner) & Job.status.in_(ENDED))):
        cancel.erase(settings, job)
        sources.forget(job)
    for upload in list(Upload.select().where((Upload.owner == owner) & Upload.job_id.is_null())):
        remove(settings, upload)
    Idempotency.delete().where(Idempotency.owner == owner).execute()
    ledger.forget(owner)
    return not Job.select().where(Job.owner == owner).exists()


def stop_jobs(owner: str, seconds: float) -> None:
    """Cancels what waits and what runs, and waits so long for the ends of all of them together."""
    job_ids = [job.id for job in Job.select(Job.id).where((Job.owner == owner) & Job.status.in_(OPEN))]
    for job_id in job_ids:
        cancel.request(job_id)
    end = time.monotonic() + seconds
    for job_id in job_ids:
        cancel.wait_for_end(job_id, end - time.monotonic())
