"""What time removes: expired jobs' results and events, and uploads that nobody used."""

import logging

from svc.core import clock
from svc.core.database import db
from svc.core.settings import Settings
from svc.jobs.models import ENDED, Event, Job, Upload
from svc.jobs.results import erase_files
from svc.jobs.uploads import remove

log = logging.getLogger("svc.jobs")

# An expired job answers 410 for this long; after that it is as unknown as one that never was.
REMEMBERED_MS = 30 * 24 * 3600 * 1000


def sweep(settings: Settings) -> None:
    """Erases what has expired. Safe to run at any time and more than once."""
    now = clock.now_ms()
    for job in Job.select().where((Job.expires_at <= now) & Job.status.in_(ENDED)):
        erase_files(settings, job)
        with db.atomic():
            Event.delete().where(Event.job_id == job.id).execute()
            if job.expires_at + REMEMBERED_MS <= now:
                job.delete_instance()
    for upload in Upload.select().where((Upload.expires_at <= now) & Upload.job_id.is_null()):
        remove(settings, upload)
