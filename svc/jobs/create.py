"""From a request to a queued job: every refusal comes before anything is queued."""

import tempfile
from pathlib import Path
from typing import Any

from svc.accounts.caller import Caller
from svc.core import clock
from svc.core.database import db
from svc.core.errors import EngineError, Refusal
from svc.core.ids import make_id
from svc.core.settings import Settings
from svc.engine.facts import Facts
from svc.engine.keys import layer_keys
from svc.engine.links.url import display_url
from svc.engine.plan import plan
from svc.engine.request import Request, canonical_mode
from svc.jobs import events, queue, uploads
from svc.jobs.engine_calls import config_for, find_facts, options_for
from svc.jobs.models import Job, Upload
from svc.jobs.quote import quote
from svc.jobs.stored import stored_layers

ACCOUNT_OPTIONS = ("include_words", "quality", "visual", "vocabulary")


def create(settings: Settings, caller: Caller, body: dict[str, Any]) -> Job:
    """Checks, quotes and queues one job; `body` fits `schemas/context-create.json`. Raises Refusal or EngineError."""
    refuse_account_options(caller, body.get("options", {}))
    refuse_when_busy(settings)
    upload = uploads.usable(caller, body["upload_id"]) if "upload_id" in body else None
    request = wanted(body, caller)
    facts = Facts.from_json(upload.facts) if upload else ask_source(settings, request)
    refuse_too_long(facts, caller)
    job = make_job(settings, caller, body, request, facts)
    save(job, upload)
    queue.wake(settings)
    return job


def refuse_account_options(caller: Caller, options: dict[str, Any]) -> None:
    for name in ACCOUNT_OPTIONS:
        if caller.anonymous and name in options:
            raise Refusal("account_required", f"The option {name} needs an account.", field=f"options.{name}")


def refuse_when_busy(settings: Settings) -> None:
    if Job.select().where(Job.status == "queued").count() >= settings.limits.service.waiting_jobs:
        raise Refusal("busy", "The queue is full just now.", hint="Try again in a minute.")


def wanted(body: dict[str, Any], caller: Caller) -> Request:
    languages = body.get("language", [])
    return Request(
        kind="file" if "upload_id" in body else "url",
        location=body.get("url") or body["upload_id"],
        mode=canonical_mode(body.get("mode", "auto")),
        languages=(languages,) if isinstance(languages, str) else tuple(languages),
        options=options_for(body.get("options", {})),
        max_seconds=caller.limits.max_video_seconds,
    )


def ask_source(settings: Settings, request: Request) -> Facts:
    with tempfile.TemporaryDirectory(dir=settings.folder("work")) as folder:
        return find_facts(settings, request, Path(folder))


def refuse_too_long(facts: Facts, caller: Caller) -> None:
    longest = caller.limits.max_video_seconds
    if facts.duration is not None and facts.duration > longest:
        raise EngineError("SOURCE_TOO_LONG", f"The video is longer than the {longest // 60} minutes of this plan.")


def make_job(settings: Settings, caller: Caller, body: dict[str, Any], request: Request, facts: Facts) -> Job:
    now = clock.now_ms()
    layers = plan(request.mode, facts, request.options.detail)
    config = config_for(settings, settings.folder("work"))
    stored = stored_layers(layer_keys(layers, facts.content_id, request, config))
    return Job(
        id=make_id("job"),
        owner=caller.owner,
        status="queued",
        mode=body.get("mode", "auto"),
        input=shown_input(body),
        location=request.location,
        language=list(request.languages),
        options=body.get("options", {}),
        facts=facts.to_json(),
        estimate=quote(request.mode, layers, stored, facts, caller.limits.max_video_seconds),
        running_cap=caller.limits.running_jobs,
        max_seconds=caller.limits.max_video_seconds,
        upload_id=body.get("upload_id"),
        created_at=now,
        expires_at=now + caller.limits.result_ttl_hours * 3600 * 1000,
    )


def shown_input(body: dict[str, Any]) -> dict[str, str]:
    if "upload_id" in body:
        return {"kind": "upload", "upload_id": body["upload_id"]}
    return {"kind": "url", "url": display_url(body["url"])}


def save(job: Job, upload: Upload | None) -> None:
    """One transaction: the job, its first event, and the upload bound to it."""
    with db.atomic():
        if upload:
            bind(upload, job)
        job.save(force_insert=True)
        events.append(job.id, "queued")


def bind(upload: Upload, job: Job) -> None:
    """Of several requests with one upload at the same time, the first gets it."""
    bound = Upload.update(job_id=job.id).where((Upload.id == upload.id) & Upload.job_id.is_null()).execute()
    if not bound:
        raise Refusal("upload_in_use", "This upload belongs to another job.")


def queue_position(job: Job) -> int:
    """How many jobs are ahead of this one."""
    return Job.select().where((Job.status == "queued") & (Job.created_at < job.created_at)).count()
