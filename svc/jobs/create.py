"""From a request to a queued job: every refusal comes before anything is queued."""

import shutil
from dataclasses import replace
from typing import Any

from svc.accounts import botcheck
from svc.accounts.caller import Caller
from svc.core import clock
from svc.core.database import db
from svc.core.errors import EngineError, Refusal
from svc.core.ids import fingerprint, make_id
from svc.core.settings import Settings
from svc.engine.config import config_for
from svc.engine.facts import Facts
from svc.engine.keys import layer_keys
from svc.engine.links.url import display_url
from svc.engine.plan import plan
from svc.engine.request import Request, canonical_mode
from svc.jobs import budget, events, funds, idempotency, queue, takedown, uploads
from svc.jobs.engine_calls import options_for
from svc.jobs.models import OPEN, Job, Upload
from svc.jobs.quote import MEDIA_LAYERS, Quote, quote
from svc.jobs.sources import facts_of_link
from svc.jobs.stored import stored_layers

ACCOUNT_OPTIONS = ("include_words", "quality", "visual", "vocabulary")
CHECKED_MODES = ("audio", "visual", "full")
MB = 1 << 20

in_progress = idempotency.NamedLocks()


def create(
    settings: Settings,
    caller: Caller,
    body: dict[str, Any],
    key: str | None = None,
    same: Any = None,
    counted: bool = False,
) -> tuple[Job, bool]:
    """The job for a body that fits `schemas/context-create.json`, and whether it is an earlier one of the same key.

    `same` is what a repeat must be equal in, the body itself by default. `counted`: the caller's request was counted
    when its file arrived. Raises Refusal or EngineError.
    """
    if key is None:
        return make(settings, caller, body, counted=counted), False
    with in_progress.held((caller.owner, key)):
        same = same or body
        if earlier := idempotency.earlier_job(caller.owner, key, same, settings.limits.service.idempotency_hours):
            return earlier, True
        return make(settings, caller, body, (key, same), counted), False


def make(
    settings: Settings,
    caller: Caller,
    body: dict[str, Any],
    idempotent: tuple[str, Any] | None = None,
    counted: bool = False,
) -> Job:
    refuse_account_options(caller, body.get("options", {}))
    if not counted:
        uploads.count_work(caller)
    refuse_when_full(settings, caller)
    if caller.anonymous and canonical_mode(body.get("mode", "auto")) in CHECKED_MODES:
        botcheck.require_person(settings, body.get("turnstile_token"), caller.address)
    upload = uploads.usable(caller, body["upload_id"]) if "upload_id" in body else None
    request = wanted(body, caller)
    facts = Facts.from_json(upload.facts) if upload else facts_of_link(settings, request)
    takedown.refuse(facts, body.get("url"))
    refuse_too_long(facts, caller)
    request, degraded = budget.within(settings, caller, request, facts)
    job, quoted = quoted_job(settings, caller, body, request, facts)
    job.degraded = degraded
    if caller.anonymous and request.mode == "auto" and ("audio" in quoted.estimate["tiers"] or quoted.may_listen):
        botcheck.require_person(settings, body.get("turnstile_token"), caller.address)
    save(settings, caller, job, quoted, upload, idempotent)
    queue.wake(settings)
    return job


def refuse_account_options(caller: Caller, options: dict[str, Any]) -> None:
    for name in ACCOUNT_OPTIONS:
        if caller.anonymous and name in options:
            raise Refusal("account_required", f"The option {name} needs an account.", field=f"options.{name}")


def refuse_when_full(settings: Settings, caller: Caller) -> None:
    """429 `too_many_in_flight` for the caller's own jobs, 503 `busy` for everybody's, or for the disk."""
    mine = Job.select().where((Job.owner == caller.owner) & Job.status.in_(OPEN)).count()
    if mine >= caller.limits.running_jobs + caller.limits.waiting_jobs:
        raise Refusal(
            "too_many_in_flight", "Too many of your jobs are waiting or running.", hint="Wait for one to end."
        )
    if Job.select().where(Job.status == "queued").count() >= settings.limits.service.waiting_jobs:
        raise Refusal("busy", "The queue is full just now.", hint="Try again in a minute.")
    refuse_low_disk(settings)


def refuse_low_disk(settings: Settings) -> None:
    if shutil.disk_usage(settings.data_dir).free < settings.disk_reserve_mb * MB:
        raise Refusal("busy", "The disk is nearly full.", hint="Try again later.")


def wanted(body: dict[str, Any], caller: Caller) -> Request:
    languages = body.get("language", [])
    return Request(
        kind="file" if "upload_id" in body else "url",
        location=body["upload_id"] if "upload_id" in body else body["url"],
        mode=canonical_mode(body.get("mode", "auto")),
        languages=(languages,) if isinstance(languages, str) else tuple(languages),
        options=options_for(body.get("options", {})),
        max_seconds=caller.limits.max_video_seconds,
    )


def refuse_too_long(facts: Facts, caller: Caller) -> None:
    longest = caller.limits.max_video_seconds
    if facts.duration is not None and facts.duration > longest:
        raise EngineError("SOURCE_TOO_LONG", f"The video is longer than the {longest // 60} minutes of this plan.")


def quoted_job(
    settings: Settings, caller: Caller, body: dict[str, Any], request: Request, facts: Facts
) -> tuple[Job, Quote]:
    """The job as it would be queued, and its price."""
    now = clock.now_ms()
    request = replace(request, file_name=facts.source.get("fileName"))
    options = body.get("options", {})
    quoted, priced = price(settings, caller, request, facts, options)
    job = Job(
        id=make_id("job"),
        owner=caller.owner,
        status="queued",
        mode=body.get("mode", "auto"),
        input=shown_input(body),
        location=request.location,
        language=list(request.languages),
        options=options,
        content_id=facts.content_id,
        facts=facts.to_json(),
        **priced,
        media_seconds=facts.duration,
        title=facts.meta.get("title"),
        upload_id=body.get("upload_id"),
        created_at=now,
        expires_at=now + caller.limits.result_ttl_hours * 3600 * 1000,
    )
    return job, quoted


def price(
    settings: Settings, caller: Caller, request: Request, facts: Facts, options: dict[str, Any]
) -> tuple[Quote, dict[str, Any]]:
    """What the request would cost its caller now, and the columns of its job that follow from it."""
    layers = plan(request.mode, facts, request.options.detail)
    keys = layer_keys(layers, facts.content_id, request, config_for(settings, settings.data_dir))
    means = funds.means_of(caller)
    quoted = quote(request.mode, layers, stored_layers(keys), facts, means, funds.proofreads(options))
    return quoted, {
        "estimate": quoted.estimate,
        "work_key": fingerprint(sorted(keys.items()), quoted.may_listen),
        "flight_key": fingerprint(sorted(key for layer, key in keys.items() if layer in MEDIA_LAYERS)),
        "may_listen": quoted.may_listen,
        "running_cap": caller.limits.running_jobs,
        "max_seconds": quoted.max_seconds if facts.duration is None else caller.limits.max_video_seconds,
    }


def shown_input(body: dict[str, Any]) -> dict[str, str]:
    if "upload_id" in body:
        return {"kind": "upload", "upload_id": body["upload_id"]}
    return {"kind": "url", "url": display_url(body["url"].strip())}


def save(
    settings: Settings,
    caller: Caller,
    job: Job,
    quoted: Quote,
    upload: Upload | None,
    idempotent: tuple[str, Any] | None,
) -> None:
    """One transaction: the limits looked at again, the job, what it holds, its first event, its upload, its key."""
    with db.atomic():
        refuse_when_full(settings, caller)
        funds.hold(caller, quoted, job.id)
        if upload:
            bind(caller, upload, job)
        job.save(force_insert=True)
        events.append(job.id, "queued")
        if idempotent:
            idempotency.remember(caller.owner, *idempotent, job)


def bind(caller: Caller, upload: Upload, job: Job) -> None:
    """Of several requests with one upload, the first gets it. For the transaction that makes the job."""
    uploads.usable(caller, upload.id)
    Upload.update(job_id=job.id).where(Upload.id == upload.id).execute()


def queue_position(job: Job) -> int:
    """How many jobs are ahead of this one."""
    return Job.select().where((Job.status == "queued") & (Job.created_at < job.created_at)).count()
