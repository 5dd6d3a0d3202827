"""The finished Context of each job: one file, written before the job's end is committed."""

import shutil
from pathlib import Path

from svc.core.settings import Settings


def result_path(settings: Settings, job_id: str) -> Path:
    return settings.folder("results") / f"{job_id}.json"


def keep_result(settings: Settings, job_id: str, context: Path) -> None:
    """Takes over the file that the engine wrote."""
    context.replace(result_path(settings, job_id))


def work_folder(settings: Settings, job_id: str) -> Path:
    """Where a job's run keeps its media and finished parts."""
    return settings.folder("work") / job_id


def erase_files(settings: Settings, job_id: str) -> None:
    """Removes a job's result and everything its run left on disk."""
    result_path(settings, job_id).unlink(missing_ok=True)
    shutil.rmtree(work_folder(settings, job_id), ignore_errors=True)
