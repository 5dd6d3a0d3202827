"""The finished Context of each job: one file, written before the job's end is committed."""

import shutil
from collections.abc import Callable
from pathlib import Path

from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.ids import make_id
from svc.core.settings import Settings
from svc.engine.config import config_for
from svc.engine.models.roles import forget_uploads
from svc.jobs.models import OPEN, Job


def result_path(settings: Settings, job_id: str) -> Path:
    return settings.folder("results") / f"{job_id}.json"


def read_result(settings: Settings, job_id: str) -> bytes:
    """A succeeded job's Context as JSON. Raises 410 `job_expired` when it was erased."""
    try:
        with result_path(settings, job_id).open("rb", buffering=0) as file:
            return file.read()
    except FileNotFoundError as error:
        raise Refusal("job_expired", "The result of this job is gone.") from error


def keep_result(settings: Settings, job_id: str, context: Path) -> None:
    """Takes over the file that the engine wrote."""
    context.replace(result_path(settings, job_id))


def work_folder(settings: Settings, job: Job) -> Path:
    """Where a job's run keeps its media and finished parts. The same request again goes on from what is there."""
    return settings.folder("work") / job.work_key


def give_up_work(settings: Settings, folder: Path, unless: Callable[[], bool]) -> None:
    """Removes a work folder, and first what a run of it left with a model provider, `unless` somebody may go on there.

    It is set aside in one transaction, so that nobody begins the same work between the look and the removal; asking
    the provider may take long.
    """
    aside = folder.with_name(make_id("gone"))
    with db.atomic():
        if not folder.exists() or unless():
            return
        folder.rename(aside)
    forget_uploads(config_for(settings, aside))
    shutil.rmtree(aside, ignore_errors=True)


def erase_files(settings: Settings, job: Job) -> None:
    """Removes a job's result, and what its run left on disk unless another job may still go on from it."""
    result_path(settings, job.id).unlink(missing_ok=True)
    shared = (Job.work_key == job.work_key) & (Job.id != job.id) & Job.status.in_([*OPEN, "failed"])
    give_up_work(settings, work_folder(settings, job), unless=Job.select().where(shared).exists)
