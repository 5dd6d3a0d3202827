"""What the doors of `routes.py` have in common in the OpenAPI document: parameters, bodies, answers and refusals."""

from dataclasses import replace

from svc.core import schema
from svc.core.describe import Answer, content, header, json_answer, parameter, ref
from svc.core.ids import JOB_ID
from svc.core.limits import EVENT_RETRY_MS
from svc.engine.export import FORMATS
from svc.jobs.idempotency import KEY
from svc.jobs.stream import encode

JOB = parameter("path", "id", "The job's id.", {"type": "string", "pattern": f"^{JOB_ID.pattern}$"})
IDEMPOTENCY_KEY = parameter(
    "header",
    "Idempotency-Key",
    "A repeat with the same key and body gets the same job.",
    {"type": "string", "pattern": f"^{KEY.pattern}$"},
)
FILE_NAME = parameter("header", "X-File-Name", "The file's name, URL-encoded.", {"type": "string"}, example="talk.mp3")
FORMAT = parameter("query", "format", "The file's format.", {"enum": list(FORMATS)}, required=True)
PAGE = (
    parameter("query", "limit", "How many.", {"type": "integer", "minimum": 1, "maximum": 100, "default": 50}),
    parameter(
        "query",
        "before",
        "Only jobs created before this time: `next_before` of the page before.",
        {"type": "integer", "minimum": 0, "maximum": 1 << 53},
    ),
)
EVENT_NUMBER = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
LAST_EVENT = (
    parameter("header", "Last-Event-ID", "Go on after this event.", EVENT_NUMBER),
    parameter("query", "last_event_id", "The same, for clients that cannot set headers.", EVENT_NUMBER),
)

FILE = {"type": "string", "format": "binary"}
ANY_FILE = {kind: {"schema": FILE} for kind in ("application/octet-stream", "audio/*", "video/*")}
JOB_FIELDS = schema.load("context-create")["properties"]
FORM = content(
    {
        "type": "object",
        "properties": {
            "file": FILE,
            **{name: JOB_FIELDS[name] for name in ("mode", "language", "turnstile_token")},
            "options": ref("options"),
        },
        "required": ["file"],
        "additionalProperties": False,
    },
    {"talk": {"file": "(the bytes of the file)", "mode": "audio", "options": {"diarize": True}}},
    "multipart/form-data",
)
FORM["multipart/form-data"]["encoding"] = {"options": {"contentType": "application/json"}}

ACCEPTED = json_answer(
    "job-created",
    Location=header("The job, relative to the server of this document."),
    Idempotent_Replayed=header("`true` when this is the job of an earlier request.", required=False),
)
CANCELED_OR_DELETED = Answer(
    "The job as it ended, or the note that an ended one is gone.",
    content({"oneOf": [ref("job"), ref("job-deleted")]}, schema.examples("job-deleted")),
)
WINDING_DOWN = replace(json_answer("job"), description="The job still runs, with `cancel_requested`.")
RESULT = schema.examples("job")["succeeded"]["result"]
EXPORTED = Answer(
    "The result as a file.",
    {
        media_type: shown
        for render, kind in FORMATS.values()
        for media_type, shown in content({"type": "string"}, {"short": render(RESULT)}, kind).items()
    }
    | content(ref("context"), {"short": RESULT}),
    {"Content-Disposition": header("`attachment`, with a file name.")},
)
QUEUED = encode(1, "queued", '{"type":"queued","runId":"job_4Ddk0wGx8cR9aZ2LmN7pQt","t":1791000000000}').decode()
STREAM = Answer(
    "Stored events are replayed, then come live, until one `done` or `error`. `data` is one JSON object with `type`, "
    "`runId` and `t`. Comment lines keep the connection alive. When the reader may not read the job any more (the "
    "credential has ended; the job was deleted, has expired or was taken down), the stream ends soon, without either.",
    content({"type": "string"}, {"beginning": f"retry: {EVENT_RETRY_MS}\n\n{QUEUED}"}, "text/event-stream"),
)

READ = ("not_found", "job_expired", "blocked_content")
CREATE = (
    "quota_exceeded",
    "account_required",
    "turnstile_required",
    "turnstile_failed",
    "video_too_long",
    "idempotency_key_reused",
    "no_audio_stream",
    "input_unsupported",
    "source_unavailable",
    "rate_limited",
    "anonymous_limit",
    "too_many_in_flight",
    "daily_spend_limit",
    "blocked_content",
)
LINK = (
    "url_unsupported",
    "source_auth_required",
    "source_blocked",
    "source_live",
    "too_large",
    "rate_limit",
    "network",
    "timeout",
)
UPLOAD = (
    "length_mismatch",
    "length_required",
    "too_large",
    "unsupported_media",
    "rate_limited",
    "too_many_in_flight",
    "too_many_uploads",
    "timeout",
)
