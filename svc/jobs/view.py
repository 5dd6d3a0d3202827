"""How a job is shown: the contract's Job. The result is put in as stored, without parsing it again."""

from typing import Any

from svc.core import prices
from svc.core.http import dump
from svc.core.settings import Settings
from svc.jobs.models import Job
from svc.jobs.results import read_result


def job_json(job: Job, prefix: str) -> dict[str, Any]:
    """Everything of the Job except `result`. `prefix` is the path under which the API was called."""
    return {
        "job_id": job.id,
        "status": job.status,
        "mode": job.mode,
        "input": job.input,
        "stage": job.stage,
        "progress": job.progress,
        "estimate": job.estimate,
        "cache_hit": job.cache_hit,
        "minutes_charged": None if job.charged_micro is None else prices.shown(job.charged_micro),
        **({"degraded": job.degraded} if job.degraded else {}),
        "error": job.error,
        "attempt": job.attempt,
        "cancel_requested": job.cancel_requested,
        **links(job.id, prefix),
        "created_at": job.created_at,
        "expires_at": job.expires_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
    }


def links(job_id: str, prefix: str) -> dict[str, str]:
    return {"events_url": f"{prefix}/v1/jobs/{job_id}/events", "result_url": f"{prefix}/v1/jobs/{job_id}"}


def job_bytes(job: Job, prefix: str, settings: Settings) -> bytes:
    """The whole Job as JSON."""
    head = dump(job_json(job, prefix))
    result = read_result(settings, job.id) if job.status == "succeeded" else b"null"
    return b"".join((head[:-1], b',"result":', result, b"}"))
