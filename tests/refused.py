"""The one shape of every refusal."""

from typing import Any

import httpx

from svc.core import schema


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The error object of an answer that must be this refusal, with the headers that go with its status."""
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json"), answer.text
    schema.check("error", answer.json())
    error = answer.json()["error"]
    assert error["code"] == code and error["message"]
    if status in (429, 503):
        assert int(answer.headers["Retry-After"]) > 0
    if status == 401:
        assert answer.headers["WWW-Authenticate"] == f'Bearer error="{code}"'
    return error
