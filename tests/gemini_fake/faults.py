"""Ways in which the service fails. Those of HTTP answer instead of it; the others change the answer it gives."""

import json
from dataclasses import dataclass, field
from typing import Any

RPC = "type.googleapis.com/google.rpc"


@dataclass(frozen=True)
class Fault:
    """`status` and `body` replace the answer; `wait` seconds pass before the first byte; `cut` ends it after so many
    bytes. `ending` and `code` are the status and error of an answer that is otherwise served; `event`: an `error` event
    in place of the end of a stream."""

    status: int = 0
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: int | None = None
    ending: str = ""
    code: str = ""
    event: bool = False


def named(status: int, code: str, message: str = "No.", **more: Any) -> Fault:
    """The Interactions API's own shape."""
    return Fault(status, json.dumps({"error": {"code": code, "message": message}}).encode(), **more)


def front(status: int, name: str, message: str, *details: dict[str, Any], in_list: bool = False, **more: Any) -> Fault:
    """The shape of the Files API and the front end, if wanted in a list."""
    error = {"error": {"code": status, "message": message, "status": name, "details": list(details)}}
    return Fault(status, json.dumps([error] if in_list else error).encode(), **more)


def retry_info(seconds: float) -> dict[str, Any]:
    return {"@type": f"{RPC}.RetryInfo", "retryDelay": f"{seconds}s"}


RATE_LIMIT = front(429, "RESOURCE_EXHAUSTED", "Resource exhausted.", retry_info(0.01))
RATE_LIMIT_HEADER = named(429, "rate_limit_exceeded", headers={"Retry-After": "2"})
RATE_LIMIT_WORDS = named(429, "too_many_requests", "Please retry in 26.66s.")
PER_DAY = front(
    429,
    "RESOURCE_EXHAUSTED",
    "You exceeded your current quota.",
    {"@type": f"{RPC}.QuotaFailure", "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]},
    retry_info(20),
)
DAILY = named(429, "quota_exceeded")
PAYMENT = named(402, "payment_required")
BAD_KEY = front(
    400,
    "INVALID_ARGUMENT",
    "API key not valid. Please pass a valid API key.",
    {"@type": f"{RPC}.ErrorInfo", "reason": "API_KEY_INVALID"},
    in_list=True,
)
INVALID = named(400, "invalid_request")
SERVER = named(500, "api_error")
BUSY = Fault(503, b"<html><body>Service Unavailable</body></html>", {"Content-Type": "text/html"})
GATEWAY = named(504, "gateway_timeout")
SAFETY = named(400, "safety", "Blocked.")
ABORTED = named(409, "aborted")
RESET = Fault(cut=0)
RESET_MID_BODY = Fault(cut=200)
CUT_STREAM = Fault(ending="cut")
INCOMPLETE = Fault(ending="incomplete")
CONTINUED = Fault(ending="requires_continuation")
CANCELLED = Fault(ending="cancelled")
OVER_BUDGET = Fault(ending="budget_exceeded")
STREAM_ERROR = Fault(event=True, code="gateway_timeout")


def failed(code: str) -> Fault:
    """Status 200, and `failed` in the answer."""
    return Fault(ending="failed", code=code)


def slow(seconds: float) -> Fault:
    return Fault(wait=seconds)
