"""The catalogue of every error code, and the two exceptions that carry them.

`EngineError` is what went wrong with a source, a file or a model (upper-case codes);
`Refusal` is a request that gets no job (snake_case codes and an HTTP status).
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class EngineCode:
    """One row of the contract's engine table: who is affected, whether to retry, exit code, HTTP status."""

    meaning: str
    exit: int
    status: int
    hint: str | None = None
    retryable: bool = False
    scope: str = "job"


LATER = "Try again later; if it stays, tell the operator."

ENGINE_CODES = {
    "INPUT_NOT_FOUND": EngineCode("The file does not exist.", 4, 422, "Check the path, or upload the file again."),
    "INPUT_UNSUPPORTED": EngineCode(
        "This cannot be read as audio or video.", 4, 422, "Send a common audio or video format, such as MP4 or MP3."
    ),
    "INPUT_CORRUPT": EngineCode("The file is damaged.", 4, 422, "Export the file again and retry."),
    "NO_AUDIO_STREAM": EngineCode("There is no audio in this media.", 4, 422, "Use mode visual."),
    "URL_UNSUPPORTED": EngineCode(
        "This link cannot be used.", 4, 422, "Send a public http or https link to a page or file with video or audio."
    ),
    "SOURCE_UNAVAILABLE": EngineCode(
        "The video is private, deleted or not available here.", 4, 422, "Check that the link plays in a private window."
    ),
    "SOURCE_AUTH_REQUIRED": EngineCode(
        "The site needs a login for this video.", 4, 422, "Download the file yourself and upload it."
    ),
    "SOURCE_BLOCKED": EngineCode(
        "The site refused this server.", 4, 422, "Try again later, or download the file yourself and upload it."
    ),
    "SOURCE_LIVE": EngineCode("This is a live stream.", 4, 422, "Try again when the broadcast has ended."),
    "SOURCE_TOO_LONG": EngineCode("The video is longer than allowed.", 4, 413, "Send a shorter video."),
    "TOOL_MISSING": EngineCode("A part this needs is not installed.", 6, 503, LATER, scope="queue"),
    "AUTH": EngineCode("The credential was rejected.", 3, 503, "Check the credential.", scope="account"),
    "QUOTA": EngineCode("Out of minutes.", 3, 402, "Add minutes or wait for the next period.", scope="account"),
    "RATE_LIMIT": EngineCode("Too many requests just now.", 5, 503, "Try again in a while.", True, "queue"),
    "SERVER": EngineCode("The upstream server had an error.", 5, 502, "Try again in a while.", True, "queue"),
    "NETWORK": EngineCode("The connection failed.", 5, 502, "Try again in a while.", True),
    "TIMEOUT": EngineCode("It took too long.", 5, 504, "Try again in a while.", True),
    "TOO_LARGE": EngineCode("This is larger than allowed.", 5, 413, "Send something smaller or shorter."),
    "CONTENT_BLOCKED": EngineCode("The model declined this content.", 5, 422),
    "PROVIDER_PROTOCOL": EngineCode("The model gave an unexpected answer.", 5, 502),
    "INCOMPLETE_OUTPUT": EngineCode("Part of the answer was missing.", 5, 502, "Try again.", True),
    "CANCELLED": EngineCode("The job was canceled.", 130, 409),
    "COST_LIMIT": EngineCode("The estimate is above the maximum cost.", 1, 402),
    "INTERNAL": EngineCode("Something went wrong on our side.", 1, 500, LATER),
}

API_STATUS = {
    "invalid_request": 400,
    "length_mismatch": 400,
    "invalid_signature": 400,
    "invalid_payload": 400,
    "invalid_api_key": 401,
    "unauthorized": 401,
    "invalid_token": 401,
    "quota_exceeded": 402,
    "insufficient_scope": 403,
    "session_required": 403,
    "account_required": 403,
    "turnstile_required": 403,
    "turnstile_failed": 403,
    "not_owner": 403,
    "bad_origin": 403,
    "not_found": 404,
    "upload_not_found": 404,
    "method_not_allowed": 405,
    "job_not_ready": 409,
    "upload_in_use": 409,
    "key_limit_reached": 409,
    "not_on_sale": 409,
    "already_owned": 409,
    "already_subscribed": 409,
    "no_billing_account": 409,
    "job_expired": 410,
    "upload_expired": 410,
    "length_required": 411,
    "video_too_long": 413,
    "body_too_large": 413,
    "unsupported_media": 415,
    "unsupported_media_type": 415,
    "idempotency_key_reused": 422,
    "rate_limited": 429,
    "anonymous_limit": 429,
    "too_many_in_flight": 429,
    "too_many_uploads": 429,
    "too_many_streams": 429,
    "daily_spend_limit": 429,
    "headers_too_large": 431,
    "blocked_content": 451,
    "internal_error": 500,
    "retry_later": 500,
    "billing_not_configured": 501,
    "not_implemented": 501,
    "stripe_unavailable": 502,
    "busy": 503,
    "not_configured": 503,
    "billing_misconfigured": 503,
}

# The engine's codes whose API name is not just their lower-case form.
API_NAMES = {"SOURCE_TOO_LONG": "video_too_long", "TOOL_MISSING": "not_configured", "INTERNAL": "internal_error"}


def status_of(code: str) -> int:
    """The HTTP status of an API code: of a refusal, or of an engine error under its API name."""
    return API_STATUS.get(code) or ENGINE_CODES[code.upper()].status


UNUSABLE = "A model that this needs cannot be used just now."


class EngineError(Exception):
    """A run that cannot go on. `code` is a key of ENGINE_CODES; message and hint are for the person who asked for it.

    `operator` is what only the operator may know and can mend: a setting, an account, a part to install. It is in the
    log and in what `svc run` says; beside it, message and hint are neutral.
    """

    def __init__(
        self,
        code: str,
        message: str | None = None,
        *,
        stage: str | None = None,
        hint: str | None = None,
        status: int | None = None,
        retry_after_ms: int | None = None,
        operator: str | None = None,
    ):
        self.row, self.operator = ENGINE_CODES[code], operator
        self.code, self.stage, self.status, self.retry_after_ms = code, stage, status, retry_after_ms
        self.message = message or (UNUSABLE if operator else self.row.meaning)
        self.hint = hint or (LATER if operator else self.row.hint)
        super().__init__(f"{code}: {operator or self.message}")

    def info(self) -> dict[str, Any]:
        """The contract's ErrorInfo, without what only the operator may know."""
        info = {
            "code": self.code,
            "message": self.message,
            "retryable": self.row.retryable,
            "scope": self.row.scope,
            "stage": self.stage or "run",
            "hint": self.hint,
            "retryAfterMs": self.retry_after_ms,
            "status": self.status,
        }
        return {name: value for name, value in info.items() if value is not None}

    @classmethod
    def from_info(cls, info: dict[str, Any]) -> "EngineError":
        """The error of an ErrorInfo, or of an `error` event, which carries the same fields."""
        return cls(
            info["code"],
            info["message"],
            stage=info["stage"],
            hint=info.get("hint"),
            status=info.get("status"),
            retry_after_ms=info.get("retryAfterMs"),
            operator=info.get("operator"),
        )


OPERATORS_OWN = ("AUTH", "QUOTA")  # of a run: the service's own account at a model provider


def as_told_callers(error: EngineError) -> EngineError:
    """An error of a run as the service's callers see it: what the operator has to mend is nothing they could mend."""
    if error.operator is None and error.code not in OPERATORS_OWN:
        return error
    code = "RATE_LIMIT" if error.code == "QUOTA" else "INTERNAL"
    message = error.message if error.operator else UNUSABLE
    return EngineError(code, message, stage=error.stage, hint=LATER)


def as_told_operator(error: EngineError) -> EngineError:
    """An error of a run as its operator sees it."""
    if error.operator is None:
        return error
    told = EngineError(error.code, error.operator, stage=error.stage, status=error.status)
    told.retry_after_ms, told.hint = error.retry_after_ms, None
    return told


class Refusal(Exception):
    """A request that is answered with an error. `fields` are added to the error object."""

    def __init__(
        self, code: str, message: str, *, status: int | None = None, retry_after: int | None = None, **fields: Any
    ):
        self.code, self.message, self.fields = code, message, fields
        self.status = status or API_STATUS[code]
        self.retry_after = retry_after
        super().__init__(f"{code}: {message}")

    @classmethod
    def from_engine(cls, error: EngineError) -> "Refusal":
        """The API's form of an engine error: the same code in lower case, the engine's own beside it."""
        fields = {"engineCode": error.code, "retryable": error.row.retryable}
        if error.hint:
            fields["hint"] = error.hint
        if error.stage:
            fields["stage"] = error.stage
        wait = error.retry_after_ms // 1000 + 1 if error.retry_after_ms else None
        name = API_NAMES.get(error.code, error.code.lower())
        return cls(name, error.message, status=error.row.status, retry_after=wait, **fields)

    def body(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message, **self.fields}}
