"""The doors to jobs and uploads: parse, call, answer."""

import json
import re
from typing import Any

from flask import Blueprint, Response, current_app, request

from svc.accounts.caller import Caller, identify
from svc.core.body import body_limit
from svc.core.describe import describes
from svc.core.errors import EngineError, Refusal
from svc.core.http import answer, json_body, raw_answer
from svc.core.settings import Settings
from svc.core.slots import Slots
from svc.engine.export import FORMATS
from svc.jobs import cancel, create, form, idempotency, listing, stream, uploads, view, watch
from svc.jobs import description as doc
from svc.jobs.access import is_still_readable, readable
from svc.jobs.deprecated import without_effort
from svc.jobs.models import ENDED, Job
from svc.jobs.results import read_result

blueprint = Blueprint("jobs", __name__)

open_streams = Slots()


def settings() -> Settings:
    return current_app.config["SETTINGS"]


def caller() -> Caller:
    return identify(request, settings())


def prefix() -> str:
    """The path under which this API was called, for links that the caller joins to the site root."""
    return request.path[: request.path.index("/v1/")]


@blueprint.post("/v1/context")
@describes(
    "Create a job from a link or an upload",
    scope="all",
    parameters=(doc.IDEMPOTENCY_KEY,),
    body="context-create",
    answers={202: doc.ACCEPTED},
    refusals=(*doc.CREATE, *doc.LINK, "upload_not_found", "upload_in_use", "upload_expired"),
)
def create_context() -> Response:
    who = caller()
    who.require("all")
    key = idempotency.checked_key(request.headers.get("Idempotency-Key"))
    job, replayed = create.create(settings(), who, json_body("context-create", without_effort), key)
    return accepted(job, replayed)


def accepted(job: Job, replayed: bool, **more: Any) -> Response:
    body = {
        "job_id": job.id,
        "status": "queued",
        **view.links(job.id, prefix()),
        "estimate": job.estimate,
        "mode": job.mode,
        "queue_position": create.queue_position(job),
        **({"degraded": job.degraded} if job.degraded else {}),
        "idempotent_replay": replayed,
        **more,
    }
    response = answer(body, 202, Location=f"/v1/jobs/{job.id}")
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


@blueprint.put("/v1/uploads")
@describes(
    "Upload a media file",
    scope="all",
    parameters=(doc.FILE_NAME,),
    body=doc.ANY_FILE,
    answers={201: "upload"},
    refusals=doc.UPLOAD,
)
@body_limit("upload_bytes", needs_length=True)
def put_upload() -> Response:
    who = caller()
    who.require("all")
    create.refuse_low_disk(settings())
    name = uploads.file_name(request.headers.get("X-File-Name"))
    upload = uploads.receive(settings(), who, request.stream, request.content_length, name)
    return answer(uploads.upload_json(upload), 201)


@blueprint.post("/v1/transcribe")
@describes(
    "Upload a media file and create its job",
    scope="all",
    parameters=(doc.IDEMPOTENCY_KEY,),
    body=doc.FORM,
    answers={202: doc.ACCEPTED},
    refusals=(*doc.UPLOAD, *doc.CREATE),
)
@body_limit("upload_bytes", needs_length=True)
def transcribe() -> Response:
    """Upload and job in one request."""
    who = caller()
    who.require("all")
    key = idempotency.checked_key(request.headers.get("Idempotency-Key"))
    create.refuse_low_disk(settings())
    upload, body = form.receive(settings(), who, request)
    try:
        job, replayed = form.create_once(settings(), who, upload, body, key)
    except EngineError as error:
        raise form.with_upload(Refusal.from_engine(error), upload) from error
    except Refusal as refusal:
        raise form.with_upload(refusal, upload) from refusal
    return accepted(job, replayed, upload_id=job.upload_id)


@blueprint.get("/v1/jobs")
@describes("List the account's jobs", scope="read", account=True, parameters=doc.PAGE, answers={200: "job-list"})
def list_jobs() -> Response:
    who = caller()
    who.require_account()
    who.require("read")
    return answer(listing.page(who.owner, number("limit", 50, 1, 100), number("before", None, 0, 1 << 53)))


def number(name: str, default: int | None, least: int, most: int) -> Any:
    """A whole number of the query. Raises 400 when it is none, or out of range."""
    text = request.args.get(name)
    if text is None:
        return default
    if not re.fullmatch(r"[0-9]{1,16}", text) or not least <= int(text) <= most:
        raise Refusal("invalid_request", f"{name} must be a whole number from {least} to {most}.", field=name)
    return int(text)


@blueprint.get("/v1/jobs/<job_id>")
@describes("Read a job and its result", scope="read", parameters=(doc.JOB,), answers={200: "job"}, refusals=doc.READ)
def get_job(job_id: str) -> Response:
    return raw_answer(view.job_bytes(readable(job_id, caller()), prefix(), settings()))


@blueprint.delete("/v1/jobs/<job_id>")
@describes(
    "Cancel a job, or erase one that has ended",
    scope="all",
    parameters=(doc.JOB,),
    answers={200: doc.CANCELED_OR_DELETED, 202: doc.WINDING_DOWN},
    refusals=(*doc.READ, "not_owner"),
)
def delete_job(job_id: str) -> Response:
    who = caller()
    who.require("all")
    job = readable(job_id, who)
    cancel.refuse_stranger(who, job)
    if job.status in ENDED:
        cancel.erase(settings(), job)
        return answer({"job_id": job.id, "status": "deleted"})
    job = cancel.stop(settings(), job)
    return raw_answer(view.job_bytes(job, prefix(), settings()), 200 if job.status in ENDED else 202)


@blueprint.get("/v1/jobs/<job_id>/events")
@describes(
    "Follow a job's events",
    scope="read",
    parameters=(doc.JOB, *doc.LAST_EVENT),
    answers={200: doc.STREAM},
    refusals=(*doc.READ, "too_many_streams"),
)
def job_events(job_id: str) -> Response:
    who = caller()
    job = readable(job_id, who)
    after = last_event_id()
    give_back = open_streams.take(who.owner, who.limits.event_streams, settings().limits.service.event_streams)
    if give_back is None:
        raise Refusal("too_many_streams", f"At most {who.limits.event_streams} event streams may be open at once.")
    subscription = watch.subscribe(job.id)
    request.environ.get("httpd.on_gone", []).append(subscription.close)
    ping_seconds = settings().limits.service.stream_ping_seconds
    body = stream.lines(job.id, after, subscription, ping_seconds, lambda: is_still_readable(job, who))
    response = Response(body, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(subscription.close)
    response.call_on_close(give_back)
    return response


@blueprint.get("/v1/jobs/<job_id>/export")
@describes(
    "Download a job's result",
    scope="read",
    parameters=(doc.JOB, doc.FORMAT),
    answers={200: doc.EXPORTED},
    refusals=(*doc.READ, "job_not_ready"),
)
def export_job(job_id: str) -> Response:
    """The result as a file for people and players: `format` is json, md, srt, vtt or txt."""
    render, media_type = FORMATS.get(request.args.get("format", ""), (None, ""))
    if render is None:
        raise Refusal("invalid_request", f"format must be one of {', '.join(FORMATS)}.", field="format")
    job = readable(job_id, caller())
    if job.status != "succeeded":
        raise Refusal("job_not_ready", "This job has no result.")
    text = render(json.loads(read_result(settings(), job.id)))
    response = Response(text, content_type=f"{media_type}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{job.id}.{request.args["format"]}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def last_event_id() -> int:
    given = request.headers.get("Last-Event-ID") or request.args.get("last_event_id") or "0"
    if not re.fullmatch(r"[0-9]{1,9}", given):
        raise Refusal("invalid_request", "last_event_id must be a whole number.", field="last_event_id")
    return int(given)
