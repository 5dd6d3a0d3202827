"""The door to questions: parse, call, answer."""

from typing import Any

from flask import Blueprint, Response, current_app, request

from svc.accounts.caller import Caller, identify
from svc.ask import ask
from svc.core import schema
from svc.core.body import body_limit
from svc.core.describe import content, describes, ref
from svc.core.errors import Refusal
from svc.core.http import answer, dump, invalid, json_body
from svc.core.settings import Settings
from svc.jobs import takedown, uploads
from svc.jobs.access import readable
from svc.jobs.results import read_result

blueprint = Blueprint("ask", __name__)

SHAPE = {name: value for name, value in schema.load("ask").items() if not name.startswith("$")}
BODY = content({**SHAPE, "properties": {**SHAPE["properties"], "context": ref("context")}}, schema.examples("ask"))
"""What the body is in the description: a Context inside it is checked by itself, for it may have a megabyte."""


@blueprint.post("/v1/ask")
@describes(
    "Ask a question about a Context",
    scope="all",
    body=BODY,
    answers={200: "ask-answer"},
    refusals=(
        "quota_exceeded",
        "not_found",
        "job_not_ready",
        "job_expired",
        "blocked_content",
        "rate_limited",
        "anonymous_limit",
        "too_many_in_flight",
        "daily_spend_limit",
        "content_blocked",
        "rate_limit",
        "server",
        "network",
        "timeout",
        "provider_protocol",
        "incomplete_output",
        "too_large",
    ),
)
@body_limit("ask_body_bytes")
def post_ask() -> Response:
    """Send `job_id`, a succeeded job of yours, or `context`, a Context exactly as it was returned."""
    settings: Settings = current_app.config["SETTINGS"]
    who = identify(request, settings)
    who.require("all")
    body = json_body("ask")
    uploads.count_work(who)
    context = (
        stored_context(settings, who, body["job_id"]) if "job_id" in body else sent_context(settings, body["context"])
    )
    return answer(ask.ask(settings, who, body["question"], context))


def stored_context(settings: Settings, who: Caller, job_id: str) -> bytes:
    job = readable(job_id, who)
    if job.status != "succeeded":
        raise Refusal("job_not_ready", "This job has no result.", hint="Ask when the job has succeeded.")
    return read_result(settings, job.id)


def sent_context(settings: Settings, context: Any) -> bytes:
    """The JSON of a Context that came with the question. Raises 400, 413, and 451 for content that was taken down."""
    text = dump(context)
    if len(text) > (most := settings.limits.service.ask_context_bytes):
        raise Refusal("body_too_large", f"The context may have at most {most} bytes.")
    try:
        schema.check_large("context", context)
    except schema.Invalid as error:
        field = f"context.{error.field}" if error.field else "context"
        raise invalid(schema.Invalid(field, "is not as a Context is")) from error
    if takedown.is_blocked({context["id"], context["source"].get("canonicalUrl")}):
        raise takedown.blocked()
    return text
