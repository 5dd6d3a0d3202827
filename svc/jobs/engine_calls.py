"""What jobs ask of the engine: its request and its means, made from a job's row and the settings."""

from pathlib import Path
from typing import Any

from svc.core.settings import Settings
from svc.engine.config import config_for
from svc.engine.facts import Facts
from svc.engine.process import EngineProcess, final_event
from svc.engine.request import Options, Request, canonical_mode
from svc.jobs.models import Job
from svc.jobs.uploads import upload_path


def options_for(body: dict[str, Any]) -> Options:
    """The request's `options` object as the engine takes it."""
    given = dict(body)
    visual = given.pop("visual", {})
    vocabulary = tuple(given.pop("vocabulary", ()))
    return Options(**given, vocabulary=vocabulary, fps=visual.get("fps"), max_scenes=visual.get("max_scenes"))


def request_for(settings: Settings, job: Job) -> Request:
    source = job.facts["source"]
    upload = job.upload_id
    return Request(
        kind="file" if upload else "url",
        location=str(upload_path(settings, upload)) if upload else job.location,
        mode="captions" if job.degraded else canonical_mode(job.mode),
        may_listen=job.may_listen,
        languages=tuple(job.language),
        options=options_for(job.options),
        file_name=source.get("fileName"),
        content_key=source.get("contentKey"),
        max_seconds=job.max_seconds,
        run_id=job.id,
    )


def find_facts(settings: Settings, request: Request, folder: Path) -> Facts:
    """Asks the source what it is, in a process with limits. Raises EngineError."""
    config = config_for(settings, folder)
    with EngineProcess("resolve", request, config) as process:
        return Facts.from_json(final_event(process, config.resolve_seconds)["facts"])
