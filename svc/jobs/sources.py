"""What a link is, asked of the source itself or remembered from a short while ago."""

import tempfile
from pathlib import Path

from svc.core import clock
from svc.core.ids import fingerprint
from svc.core.settings import Settings
from svc.engine.facts import Facts
from svc.engine.links.url import canonical_url, check_url
from svc.engine.request import Request
from svc.jobs.engine_calls import find_facts
from svc.jobs.idempotency import NamedLocks
from svc.jobs.models import Job, Resolution

REMEMBERED_MS = 15 * 60 * 1000

being_asked = NamedLocks()


def facts_of_link(settings: Settings, request: Request) -> Facts:
    """Several callers with the same link at the same time ask once. Raises EngineError."""
    key = key_of(request.location)
    with being_asked.held(key):
        return remembered(key) or ask(settings, request, key)


def key_of(link: str) -> str:
    return fingerprint(canonical_url(check_url(link)))


def forget(job: Job) -> None:
    """Forgets what the job's link was found to be."""
    if not job.upload_id:
        Resolution.delete().where(Resolution.key == key_of(job.location)).execute()


def remembered(key: str) -> Facts | None:
    fresh = (Resolution.key == key) & (Resolution.created_at > clock.now_ms() - REMEMBERED_MS)
    row = Resolution.get_or_none(fresh)
    return Facts.from_json(row.facts) if row else None


def ask(settings: Settings, request: Request, key: str) -> Facts:
    with tempfile.TemporaryDirectory(dir=settings.folder("work")) as folder:
        facts = find_facts(settings, request, Path(folder))
    Resolution.replace(key=key, facts=facts.to_json(), created_at=clock.now_ms()).execute()
    return facts
