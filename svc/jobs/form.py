"""`POST /v1/transcribe`: a multipart form with a file becomes an upload and the body of a job."""

from threading import Lock
from typing import Any

from flask import Request
from werkzeug.datastructures import MultiDict

from svc.accounts.caller import Caller
from svc.core import schema
from svc.core.errors import Refusal
from svc.core.http import invalid, parse_json
from svc.core.settings import Settings
from svc.jobs import create, uploads
from svc.jobs.deprecated import without_effort
from svc.jobs.models import Job, Upload

FIELDS = ("mode", "language", "options", "turnstile_token")

one_at_a_time = Lock()


def receive(settings: Settings, caller: Caller, request: Request) -> tuple[Upload, dict[str, Any]]:
    """The stored file, and the job's body without it. Raises Refusal.

    The fields are checked before the file is stored; forms are parsed one at a time, since each takes memory.
    """
    with one_at_a_time:
        files, fields = request.files, request.form
    if request.mimetype != "multipart/form-data" or list(files) != ["file"] or len(files.getlist("file")) != 1:
        raise Refusal("invalid_request", "Send multipart/form-data with one file in the field file.", field="file")
    body = body_of(fields)
    file = files["file"]
    return uploads.receive(settings, caller, file.stream, None, uploads.file_name(file.filename)), body


def body_of(fields: MultiDict[str, str]) -> dict[str, Any]:
    """The form's fields as `POST /v1/context` would have them."""
    if unknown := [name for name in fields if name not in FIELDS]:
        raise Refusal("invalid_request", f"The field {unknown[0]} is not known.", field=unknown[0])
    body: dict[str, Any] = {name: fields[name] for name in ("mode", "turnstile_token") if name in fields}
    if languages := fields.getlist("language"):
        body["language"] = languages if len(languages) > 1 else languages[0]
    if "options" in fields:
        body["options"] = parsed_options(fields["options"])
    try:
        body = without_effort(body)
        schema.check("context-create", {**body, "upload_id": "upl"})
    except schema.Invalid as error:
        raise invalid(error) from error
    return body


def parsed_options(text: str) -> Any:
    try:
        return parse_json(text.encode())
    except schema.Invalid as error:
        raise Refusal("invalid_request", "options must be JSON.", field="options") from error


def create_once(
    settings: Settings, caller: Caller, upload: Upload, body: dict[str, Any], key: str | None
) -> tuple[Job, bool]:
    """The job of this form. A repeat with the same key, fields and bytes gets the first one, and its copy goes."""
    same = {**body, "file": upload.facts["source"]["contentKey"]}
    job, replayed = create.create(settings, caller, {**body, "upload_id": upload.id}, key, same, counted=True)
    if replayed:
        uploads.remove(settings, upload)
    return job, replayed


def with_upload(refusal: Refusal, upload: Upload) -> Refusal:
    refusal.fields["upload_id"] = upload.id
    return refusal
