"""Content that was taken down: not processed, not shown, and erased where it was stored."""

import re
from functools import cache

from svc.core import clock
from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.operator import CommandError
from svc.core.settings import Settings
from svc.engine.facts import Facts
from svc.engine.links.url import canonical_url, check_url
from svc.jobs import cancel
from svc.jobs.models import OPEN, Job, StoredLayer, Takedown
from svc.jobs.results import result_path
from svc.jobs.stored import LOCAL, forget

CONTENT_KEY = re.compile(r"[a-z2-7]{32}")
CONTENT_ID = re.compile(r"[a-z0-9.+-]+:[^\s:/]+")


def refuse(facts: Facts, link: str | None = None) -> None:
    """451 `blocked_content` when this source, or the link it was asked by, was taken down."""
    if is_blocked({facts.content_id, facts.source.get("canonicalUrl"), canonical_url(link) if link else None}):
        raise blocked()


def blocked() -> Refusal:
    return Refusal("blocked_content", "This content was removed after a takedown request.")


def is_blocked(names: set[str | None]) -> bool:
    known = [name for name in names if name]
    return bool(known) and db.execute_sql(sql_of_blocked(len(known)), (*known, 1)).fetchone() is not None


@cache
def sql_of_blocked(names: int) -> str:
    """Written once: this is asked at every reading of a job."""
    return Takedown.select(Takedown.name).where(Takedown.name.in_([""] * names)).limit(1).sql()[0]


def canonical(name: str) -> str:
    """A link in its canonical form, a file's content key as its content id, a content id as it is.

    Raises EngineError or CommandError for anything else.
    """
    name = name.strip()
    if "://" in name:
        return canonical_url(check_url(name))
    if CONTENT_KEY.fullmatch(name):
        return LOCAL + name
    if CONTENT_ID.fullmatch(name):
        return name
    raise CommandError(f"{name!r} is neither a link, nor a content key or id as they stand in a Context.")


def add(settings: Settings, name: str) -> Takedown:
    """Blocks a link, content key or content id, and erases every stored result of it; says by what name."""
    name = canonical(name)
    with db.atomic():
        Takedown.insert(name=name, created_at=clock.now_ms()).on_conflict_ignore().execute()
    for job in Job.select():
        if name in names_of(job):
            if job.status in OPEN:
                cancel.request(job.id)
            erase_stored(settings, job.content_id)
            result_path(settings, job.id).unlink(missing_ok=True)
    return Takedown.get(Takedown.name == name)


def names_of(job: Job) -> set[str | None]:
    """What a job's content may be blocked by."""
    source = job.facts["source"]
    link = canonical_url(job.location) if source["kind"] == "url" else None
    return {job.content_id, source.get("canonicalUrl"), link}


def erase_stored(settings: Settings, content_id: str) -> None:
    for layer in StoredLayer.select().where(StoredLayer.content_id == content_id):
        forget(settings, layer)


def remove(name: str) -> bool:
    return bool(Takedown.delete().where(Takedown.name == canonical(name)).execute())
