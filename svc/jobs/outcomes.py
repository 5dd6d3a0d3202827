"""How jobs of each source ended, kept for the status page."""

from typing import Any

from svc.core import clock
from svc.core.errors import EngineError
from svc.jobs.models import Job, Outcome

# Failures that are the caller's or the link's own do not count against a source.
CALLERS_OWN = {
    "CANCELLED",
    "COST_LIMIT",
    "INPUT_CORRUPT",
    "INPUT_NOT_FOUND",
    "INPUT_UNSUPPORTED",
    "NO_AUDIO_STREAM",
    "QUOTA",
    "SOURCE_AUTH_REQUIRED",
    "SOURCE_LIVE",
    "SOURCE_TOO_LONG",
    "SOURCE_UNAVAILABLE",
    "URL_UNSUPPORTED",
}


def note_success(job: Job, context: dict[str, Any]) -> None:
    """A success through captions after a blocked download, or through a model that read the link, is a fallback."""
    fell_back = any(warning["code"] == "DOWNLOAD_FALLBACK_URL_DIRECT" for warning in context["warnings"])
    note(job, "fallback" if fell_back else "succeeded")


def note_failure(job: Job, error: EngineError) -> None:
    if error.code not in CALLERS_OWN:
        note(job, "blocked" if error.code == "SOURCE_BLOCKED" else "failed")


def note(job: Job, kind: str) -> None:
    now = clock.now_ms()
    seconds = (now - (job.started_at or now)) / 1000
    Outcome.create(source=job.facts["source"]["provider"], kind=kind, seconds=seconds, created_at=now)
