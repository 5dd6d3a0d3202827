"""What time removes: results and events of expired jobs, unused uploads and layers, and what was only remembered."""

import shutil
from contextlib import suppress
from pathlib import Path

from svc.core import clock
from svc.core.database import db
from svc.core.settings import Settings
from svc.jobs.models import ENDED, Event, Idempotency, Job, Outcome, Resolution, StoredLayer, Upload
from svc.jobs.results import erase_files
from svc.jobs.sources import REMEMBERED_MS
from svc.jobs.stored import forget, forget_unshared
from svc.jobs.uploads import remove

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
# An expired job answers 410 for this long; after that it is as unknown as one that never was.
TOMBSTONE_MS = 30 * DAY_MS
UNUSED_LAYER_MS = 30 * DAY_MS
OUTCOME_MS = 2 * DAY_MS
ABANDONED_SECONDS = 24 * 3600


def sweep(settings: Settings) -> None:
    """Erases what has expired. Safe to run at any time and more than once."""
    now = clock.now_ms()
    sweep_jobs(settings, now)
    sweep_work(settings)
    sweep_uploads(settings, now)
    for layer in StoredLayer.select().where(StoredLayer.used_at <= now - UNUSED_LAYER_MS):
        forget(settings, layer)
    Resolution.delete().where(Resolution.created_at <= now - REMEMBERED_MS).execute()
    Outcome.delete().where(Outcome.created_at <= now - OUTCOME_MS).execute()
    keys_until = now - settings.limits.service.idempotency_hours * HOUR_MS
    Idempotency.delete().where(Idempotency.created_at <= keys_until).execute()


def sweep_jobs(settings: Settings, now: int) -> None:
    for job in Job.select().where((Job.expires_at <= now) & Job.status.in_(ENDED)):
        erase_files(settings, job)
        with db.atomic():
            Event.delete().where(Event.job_id == job.id).execute()
            if job.expires_at + TOMBSTONE_MS <= now:
                job.delete_instance()
        forget_unshared(settings, job.content_id)


def sweep_uploads(settings: Settings, now: int) -> None:
    """Removes uploads that nobody used in time, and what a crash left: those of succeeded jobs, files without a row."""
    unused = Upload.job_id.is_null() & (Upload.expires_at <= now)
    used = Upload.job_id.in_(Job.select(Job.id).where(Job.status == "succeeded"))
    for upload in Upload.select().where(unused | used):
        remove(settings, upload)
    for file in settings.folder("uploads").iterdir():
        if is_abandoned(file) and not Upload.select().where(Upload.id == file.name).exists():
            file.unlink(missing_ok=True)


def sweep_work(settings: Settings) -> None:
    """Removes folders that no job knows, left behind by a crash long ago."""
    known = {job.work_key for job in Job.select(Job.work_key)}
    for folder in settings.folder("work").iterdir():
        if is_abandoned(folder) and folder.name not in known:
            shutil.rmtree(folder, ignore_errors=True)


def is_abandoned(path: Path) -> bool:
    """Untouched for so long that nobody can be in the middle of making it."""
    with suppress(FileNotFoundError):
        return clock.now_ms() / 1000 - path.stat().st_mtime > ABANDONED_SECONDS
    return False
