"""Ways in which a server fails, whatever it is asked."""

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Fault:
    """`status` and `body` replace the answer; `wait` seconds pass before it; `cut`: the connection ends inside it.

    `finish` and `refusal` are those of a chat answer that is otherwise served; `text` replaces its content.
    """

    status: int = 0
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: bool = False
    finish: str = ""
    refusal: str = ""
    text: str | None = None


def error(status: int, message: str, code: str | None = None, kind: str = "error", **more: Any) -> Fault:
    """OpenAI's own shape."""
    inside = {"message": message, "type": kind, "param": None, "code": code}
    return Fault(status, json.dumps({"error": inside}).encode(), {"Content-Type": "application/json"}, **more)


def page(status: int) -> Fault:
    """What a proxy answers in the server's place."""
    return Fault(status, b"<html><h1>Something went wrong</h1></html>", {"Content-Type": "text/html"})


def told_to_wait(seconds: int) -> Fault:
    limit = error(429, "Rate limit reached for requests.", "rate_limit_exceeded", "requests")
    return Fault(limit.status, limit.body, limit.headers | {"Retry-After": str(seconds)})


RATE_LIMIT = error(429, "Rate limit reached for requests.", "rate_limit_exceeded", "requests")
NO_QUOTA = error(429, "You exceeded your current quota.", "insufficient_quota", "insufficient_quota")
PAYMENT = error(402, "Payment required.")
SERVER = error(500, "The server had an error while processing your request.", kind="server_error")
BUSY = error(503, "The engine is currently overloaded.", kind="server_error")
BAD_GATEWAY, HTML, MOVED = page(502), page(200), page(301)
CONTEXT = error(400, "This model's maximum context length is 4096 tokens.", "context_length_exceeded")
FILTERED = error(400, "The response was filtered due to the content management policy.", "content_filter")
INSIDE = Fault(200, b'{"error": {"message": "Upstream is busy.", "code": 503}}', {"Content-Type": "application/json"})
RESET = Fault(cut=True)
CUT_OFF, BLOCKED = Fault(finish="length"), Fault(finish="content_filter")
REFUSED = Fault(refusal="I'm sorry, I can't help with that.")


def says(text: str) -> Fault:
    return Fault(text=text)
