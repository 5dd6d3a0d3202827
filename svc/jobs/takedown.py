"""Content that was taken down: not processed, not shown, and erased where it was stored."""

from svc.core import clock
from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.settings import Settings
from svc.engine.facts import Facts
from svc.engine.links.url import canonical_url
from svc.jobs.models import Job, StoredLayer, Takedown
from svc.jobs.results import erase_files
from svc.jobs.stored import LOCAL, forget


def refuse(facts: Facts) -> None:
    """451 `blocked_content` when this source was taken down."""
    names = {facts.content_id, facts.source.get("canonicalUrl"), canonical(facts.source.get("url", ""))}
    if is_blocked(names):
        raise Refusal("blocked_content", "This content was removed after a takedown request.")


def is_blocked(names: set[str | None]) -> bool:
    return any(Takedown.find(name) for name in names if name)


def canonical(name: str) -> str:
    """A link in its canonical form; a content key or content id as it is."""
    if "://" in name:
        return canonical_url(name.strip())
    return name if ":" in name or not name else LOCAL + name


def add(settings: Settings, name: str) -> None:
    """Blocks a link, content key or content id, and erases every stored result of it."""
    name = canonical(name)
    with db.atomic():
        Takedown.insert(name=name, created_at=clock.now_ms()).on_conflict_ignore().execute()
    for job in Job.select():
        if name in (
            job.content_id,
            job.facts["source"].get("canonicalUrl"),
            canonical(job.facts["source"].get("url", "")),
        ):
            erase_stored(settings, job.content_id)
            erase_files(settings, job)


def erase_stored(settings: Settings, content_id: str) -> None:
    for layer in StoredLayer.select().where(StoredLayer.content_id == content_id):
        forget(settings, layer)


def remove(name: str) -> bool:
    return bool(Takedown.delete().where(Takedown.name == canonical(name)).execute())
