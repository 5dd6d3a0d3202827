"""What Gemini says when it refuses, in whichever of its four shapes, as an EngineError.

The shapes: `{"error": {"code": "<name>", ...}}` of the Interactions API; `{"error": {"code": 429, "status": ...,
"details": [...]}}` of the Files API and the front end; the same inside a list; and HTML or nothing.
"""

import json
import logging
import re
from dataclasses import dataclass
from typing import Any

import httpx

from svc.core.errors import EngineError
from svc.engine.models import upstream

log = logging.getLogger(__name__)

KEY_HEADER = "x-goog-api-key"
SHOWN_LETTERS = 300  # of an upstream message, in the log

ENGINE_CODES = {
    "unauthenticated": "AUTH",
    "authentication": "AUTH",
    "permission_denied": "AUTH",
    "payment_required": "QUOTA",
    "quota_exceeded": "QUOTA",
    "budget_exceeded": "QUOTA",
    "rate_limit_exceeded": "RATE_LIMIT",
    "too_many_requests": "RATE_LIMIT",
    "resource_exhausted": "RATE_LIMIT",
    "aborted": "SERVER",
    "api_error": "SERVER",
    "internal": "SERVER",
    "unavailable": "SERVER",
    "service_unavailable": "SERVER",
    "deadline_exceeded": "TIMEOUT",
    "gateway_timeout": "TIMEOUT",
    "not_implemented": "PROVIDER_PROTOCOL",
    "unimplemented": "PROVIDER_PROTOCOL",
}
BLOCKED = {"safety", "recitation", "language", "prohibited_content", "spii", "blocklist", "content_blocked"}
# The numbers of google.rpc.Code, which a step's error carries.
RPC_NAMES = {
    3: "invalid_argument",
    4: "deadline_exceeded",
    7: "permission_denied",
    8: "resource_exhausted",
    10: "aborted",
    13: "internal",
    14: "unavailable",
    16: "unauthenticated",
}
MESSAGES = {
    "RATE_LIMIT": "The model provider asks to slow down.",
    "SERVER": "The model provider had an error.",
    "TIMEOUT": "The model provider took too long to answer.",
    "TOO_LARGE": "The model provider takes no request of this size.",
    "CONTENT_BLOCKED": "The model declined this content.",
    "PROVIDER_PROTOCOL": "The model provider refused the request.",
}
FOR_OPERATOR = {
    "AUTH": "The model provider rejected the service's key: check SVC_GEMINI_API_KEY.",
    "QUOTA": "The quota at the model provider is used up: check the plan and billing of its project.",
}

DURATION = re.compile(r"(\d+(?:\.\d+)?)s")
PLEASE_RETRY = re.compile(r"retry in (\d+(?:\.\d+)?)(ms|s)\b", re.IGNORECASE)
BAD_KEY = re.compile(r"api.?key not valid|api_key_invalid", re.IGNORECASE)
PER_DAY = re.compile(r"per.?day", re.IGNORECASE)


class FileGone(EngineError):
    """A file that has expired or is not ours; it has to be uploaded again."""


class Refused(EngineError):
    """A request that this model does not take as it is: wrong values, or a link that cannot be opened."""


@dataclass(frozen=True)
class Fault:
    """One refusal: the HTTP status (0 without one), the code's name in lower case, and what came with it."""

    status: int
    name: str
    message: str
    details: str = ""
    wait_ms: int | None = None

    def error(self) -> EngineError:
        code = self.code()
        log.warning("gemini: %s %s: %s", self.status or "in the answer", self.name, self.message[:SHOWN_LETTERS])
        kind = FileGone if self.is_about_a_file() else Refused if self.is_about_the_request() else EngineError
        wait = self.wait_ms if code == "RATE_LIMIT" else None
        told = {"message": MESSAGES.get(code), "operator": FOR_OPERATOR.get(code)}
        return kind(code, **told, status=self.status or None, retry_after_ms=wait)

    def code(self) -> str:
        if self.name in BLOCKED or self.name.startswith("image_"):
            return "CONTENT_BLOCKED"
        if BAD_KEY.search(self.message + self.details):
            return "AUTH"
        if self.is_about_a_file():
            return "PROVIDER_PROTOCOL"
        if self.status == 429 and PER_DAY.search(self.message + self.details):
            return "QUOTA"
        return ENGINE_CODES.get(self.name) or upstream.code_of(self.status)

    def is_about_a_file(self) -> bool:
        return self.status == 403 and "access the file" in self.message.lower()

    def is_about_the_request(self) -> bool:
        return self.status in (400, 404, 416) and self.code() == "PROVIDER_PROTOCOL"


def error_of(response: httpx.Response) -> EngineError:
    """The error of a response whose body has been read. A key that it repeats is not passed on."""
    key = response.request.headers.get(KEY_HEADER)
    said = error_object(response.text.replace(key, "[key]") if key else response.text)
    wait = upstream.wait_of(response)
    return fault_of(said, response.status_code, wait).error()


def error_object(body: str) -> dict[str, Any]:
    """The `error` object of a body, in or out of a list; empty when there is none."""
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    if isinstance(value, list) and value:
        value = value[0]
    found = value.get("error") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def fault_of(said: dict[str, Any], status: int = 0, wait_ms: int | None = None) -> Fault:
    """The fault of an error object: of a response, an event, or an answer's `errors` and steps."""
    code, message = said.get("code"), str(said.get("message") or "")
    name = said.get("status") or (RPC_NAMES.get(code, "") if isinstance(code, int) else code) or ""
    details = json.dumps(said.get("details") or "")
    if wait_ms is None:
        wait_ms = wait_in(details, message)
    return Fault(status, str(name).lower(), message, details, wait_ms)


def wait_in(details: str, message: str) -> int | None:
    """The pause asked for by a RetryInfo, or in words, in milliseconds."""
    if found := re.search(rf'"retryDelay": "{DURATION.pattern}"', details):
        return round(float(found[1]) * 1000)
    if found := PLEASE_RETRY.search(message):
        return round(float(found[1]) * (1 if found[2] == "ms" else 1000))
    return None
