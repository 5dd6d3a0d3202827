"""The Status record, from how jobs really ended in the last 24 hours."""

from typing import Any

import peewee

from svc.core import clock
from svc.core.settings import Settings
from svc.jobs import budget
from svc.jobs.models import Job, Outcome

WINDOW_HOURS = 24
HOUR_MS = 3_600_000
GOOD = ("succeeded", "fallback")


def report(settings: Settings) -> dict[str, Any]:
    """The contract's Status record."""
    sources, paused = by_source(), budget.is_paused(settings)
    return {
        "ok": True,
        "status": "degraded" if paused else "operational",
        "time": clock.now_ms(),
        "window_hours": WINDOW_HOURS,
        "queue": {
            "capacity": settings.limits.service.waiting_jobs,
            "queued": count("queued"),
            "running": count("running"),
        },
        "free_tier": {"listen_watch": "paused" if paused else "open"},
        "sources": sources,
        "notes": [note(source) for source in sources if source["fallback"]],
    }


def count(status: str) -> int:
    return Job.select().where(Job.status == status).count()


def by_source() -> list[dict[str, Any]]:
    """Every source with jobs in the window, the busiest first."""
    since = Outcome.created_at > clock.now_ms() - WINDOW_HOURS * HOUR_MS
    kinds = (Outcome.source, Outcome.kind)
    rows = Outcome.select(*kinds, peewee.fn.COUNT(Outcome.source), peewee.fn.SUM(Outcome.seconds)).where(since)
    tally: dict[str, dict[str, tuple[int, float]]] = {}
    for source, kind, jobs, took in rows.group_by(*kinds).tuples().iterator():
        tally.setdefault(source, {})[kind] = (jobs, took)
    found = [summary(source, number) for source, number in tally.items()]
    return sorted(found, key=lambda entry: (-entry["jobs"], entry["source"]))


def summary(source: str, kinds: dict[str, tuple[int, float]]) -> dict[str, Any]:
    number = {kind: jobs for kind, (jobs, _) in kinds.items()}
    total = sum(number.values())
    good = sum(number.get(kind, 0) for kind in GOOD)
    return {
        "source": source,
        "jobs": total,
        "succeeded": good,
        "failed": total - good,
        "blocked": number.get("blocked", 0),
        "fallback": number.get("fallback", 0),
        "success_rate": round(good / total, 3),
        "avg_seconds": round(sum(took for _, took in kinds.values()) / total, 1),
    }


def note(source: dict[str, Any]) -> str:
    return f"{source['source']} refuses downloads just now; captions and direct reading work."
