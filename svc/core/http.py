"""What every room's `routes.py` shares: strict JSON in, JSON out, and one shape for every error."""

import json
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, current_app, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from svc.core import schema
from svc.core.errors import EngineError, Refusal

DEFAULT_RETRY_SECONDS = 10
HTTP_ERRORS = {
    404: ("not_found", "There is nothing at this address."),
    405: ("method_not_allowed", "This address does not take this method."),
    413: ("body_too_large", "The body is too large."),
    415: ("unsupported_media_type", "Bodies of this type are not taken here."),
}
BAD_REQUEST = ("invalid_request", "This request cannot be understood.")
OUR_FAULT = ("internal_error", "Something went wrong on our side.")


def answer(value: Any, status: int = 200, **headers: str) -> Response:
    """A JSON answer. Header names are written with underscores: `Retry_After`."""
    return raw_answer(dump(value), status, **headers)


def raw_answer(body: bytes, status: int = 200, **headers: str) -> Response:
    response = Response(body, status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def json_body(name: str, prepare: Callable[[Any], Any] = lambda body: body, misfit: int = 400) -> Any:
    """The request's body as JSON that, once prepared, fits `schemas/<name>.json`; else 400 `invalid_request`.

    `misfit` is the status where a field is to blame: some routes answer 422 there.
    """
    if request.mimetype and not request.is_json:
        raise Refusal("invalid_request", "Send JSON, with Content-Type: application/json.")
    try:
        body = prepare(parse_json(request.get_data(cache=False)))
        schema.check(name, body)
    except schema.Invalid as error:
        raise invalid(error, misfit) from error
    return body


def invalid(error: schema.Invalid, misfit: int = 400) -> Refusal:
    """The refusal of a document that does not fit; `misfit` is its status where a field is to blame."""
    if not error.field:
        return Refusal("invalid_request", str(error))
    return Refusal("invalid_request", str(error), status=misfit, field=error.field)


def parse_json(raw: bytes) -> Any:
    """Strict JSON: UTF-8, no NaN or Infinity, no endless nesting. Raises schema.Invalid."""
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=refuse_constant)
        dump(value)  # what cannot be written again is refused too: half of a surrogate pair, 1e999
    except (ValueError, RecursionError) as error:
        raise schema.Invalid("", "is not valid JSON in UTF-8") from error
    return value


def refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


Wording = Callable[[Refusal], Response]
"""Turns a refusal into the answer that its reader understands."""


def install_error_answers(app: Flask, worded: Wording) -> None:
    """Every error becomes a refusal, and that an answer, in this one place."""
    app.register_error_handler(Refusal, worded)
    app.register_error_handler(EngineError, lambda error: worded(Refusal.from_engine(error)))
    app.register_error_handler(HTTPException, lambda error: http_error(error, worded))
    app.register_error_handler(Exception, lambda error: unexpected(error, worded))


def refused(refusal: Refusal) -> Response:
    """`{error: {code, message, ...}}`, for programs, with the headers that go with the status."""
    response = answer(refusal.body(), refusal.status)
    if refusal.status in (429, 503):
        response.headers["Retry-After"] = str(refusal.retry_after or DEFAULT_RETRY_SECONDS)
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = f'Bearer error="{refusal.code}"'
    return response


def http_error(error: HTTPException, worded: Wording) -> ResponseReturnValue:
    """What Flask itself refuses, in our words. Redirects pass."""
    if error.response is not None or error.code is None or error.code < 400:
        return error
    response = worded(Refusal(*HTTP_ERRORS.get(error.code, BAD_REQUEST if error.code < 500 else OUR_FAULT)))
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


def unexpected(error: Exception, worded: Wording) -> Response:
    """The request's boundary: logged, and answered without its details."""
    current_app.logger.exception("request failed: %s %s", request.method, request.path)
    return worded(Refusal(*OUR_FAULT))
