"""What every room's `routes.py` shares: strict JSON in, JSON out, and one shape for every error."""

import json
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from svc.core import schema
from svc.core.errors import API_STATUS, EngineError, Refusal

DEFAULT_RETRY_SECONDS = 10
HTTP_CODES = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large", 415: "unsupported_media_type"}


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


def json_body(name: str) -> Any:
    """The request's body as JSON that fits `schemas/<name>.json`; anything else is 400 `invalid_request`."""
    try:
        body = parse_json(request.get_data(cache=False))
        schema.check(name, body)
    except schema.Invalid as error:
        raise Refusal("invalid_request", str(error), **({"field": error.field} if error.field else {})) from error
    return body


def parse_json(raw: bytes) -> Any:
    """Strict JSON: UTF-8, no NaN or Infinity, no endless nesting. Raises schema.Invalid."""
    try:
        return json.loads(raw.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise schema.Invalid("", "the body is not valid JSON in UTF-8") from error


def refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def install_error_answers(app: Flask) -> None:
    """Every error under the API becomes `{error: {code, message, ...}}`, in this one place."""

    @app.errorhandler(Refusal)
    def refused(error: Refusal) -> Response:
        headers = {}
        if error.status in (429, 503):
            headers["Retry_After"] = str(error.retry_after or DEFAULT_RETRY_SECONDS)
        if error.status == 401:
            headers["WWW_Authenticate"] = f'Bearer error="{error.code}"'
        return answer(error.body(), error.status, **headers)

    @app.errorhandler(EngineError)
    def engine_refused(error: EngineError) -> Response:
        return refused(Refusal.from_engine(error))

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Any:
        status = error.code or 500
        if error.response is not None or status < 400:
            return error
        code = HTTP_CODES.get(status, "invalid_request" if status < 500 else "internal_error")
        refusal = Refusal(code, error.description or code, status=API_STATUS[code])
        response = refused(refusal)
        if status == 405 and getattr(error, "valid_methods", None):
            response.headers["Allow"] = ", ".join(error.valid_methods)  # type: ignore[attr-defined]
        return response

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        app.logger.exception("request failed: %s %s", request.method, request.path)
        return answer(Refusal("internal_error", "Something went wrong on our side.").body(), 500)


