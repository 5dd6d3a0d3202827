"""The account's own list of jobs: newest first, a page at a time, without results."""

from typing import Any

from svc.core import clock, prices
from svc.jobs.models import Job


def page(owner: str, limit: int, before: int | None) -> dict[str, Any]:
    """The jobs that are open or not expired yet; `next_before` is None on the last page."""
    mine = (Job.owner == owner) & (Job.expires_at > clock.now_ms()) & Job.via.is_null()
    if before is not None:
        mine &= Job.created_at < before
    rows = list(Job.select().where(mine).order_by(Job.created_at.desc(), Job.id.desc()).limit(limit + 1))
    return {
        "jobs": [item(job) for job in rows[:limit]],
        "next_before": rows[limit - 1].created_at if len(rows) > limit else None,
    }


def item(job: Job) -> dict[str, Any]:
    source = job.facts["source"]
    return {
        "job_id": job.id,
        "status": job.status,
        "mode": job.mode,
        "input": job.input,
        "created_at": job.created_at,
        "expires_at": job.expires_at,
        "finished_at": job.finished_at,
        "error_code": job.error["code"] if job.error else None,
        "file_name": source.get("fileName"),
        "media_seconds": job.media_seconds,
        "minutes_charged": None if job.charged_micro is None else prices.shown(job.charged_micro),
        "provider": source["provider"],
        "title": job.title,
        "via": job.via,
    }
