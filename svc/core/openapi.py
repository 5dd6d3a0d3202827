"""The OpenAPI 3.1 document: made from the routes, what they say of themselves, and the files of `schemas/`."""

import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from http import HTTPStatus
from typing import Any

from flask import Flask, Response
from werkzeug.routing import Rule

from svc import __version__
from svc.core import schema
from svc.core.body import rule_of
from svc.core.describe import Answer, Description, describes, description_of, header, ref
from svc.core.errors import status_of
from svc.core.http import dump, raw_answer

PREFIX = "/api"
ABOUT = (
    "Turns a link to a video or audio file, or an uploaded media file, into a Context: transcript, summary, chapters. "
    "Work is asynchronous: a job is created, then read or followed until it ends.\n\n"
    "Every refusal is `{error: {code, message, ...}}`; branch on `code`. An unknown path is 404 `not_found`, another "
    "method 405 `method_not_allowed` with `Allow`. Retry only 429 and 5xx, after `Retry-After` where it is given. "
    "New fields and values may appear; unknown query parameters are ignored."
)
SECURITY_SCHEMES = {
    "ApiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "A key, `svc_live_...`."},
    "Bearer": {"type": "http", "scheme": "bearer", "description": "A key, or the session token of a device login."},
    "Session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "svc_session",
        "description": "A signed-in browser's session, from pages of the same site only.",
    },
}

# What the web server itself may answer, whatever the route.
EVERYWHERE = (
    "invalid_request",
    "body_too_large",
    "headers_too_large",
    "internal_error",
    "not_implemented",
    "busy",
)
WRONG_CREDENTIAL = ("invalid_api_key", "invalid_token", "bad_origin")
REFUSAL_HEADERS = {
    401: {"WWW-Authenticate": header('`Bearer error="<code>"`')},
    429: {"Retry-After": header("Seconds to wait.", "integer")},
    503: {"Retry-After": header("Seconds to wait.", "integer")},
}


def mount(app: Flask) -> None:
    """Serves the document. It is made at the first request, when every route is there."""
    made = cache(lambda: dump(document(app)))
    itself = Answer("The OpenAPI document.", {"application/json": {"schema": {"type": "object"}}})

    @app.get(f"{PREFIX}/v1/openapi.json")
    @describes("Read this document", answers={200: itself})
    def openapi() -> Response:
        return raw_answer(made())


def document(app: Flask) -> dict[str, Any]:
    """The document of the application's API. Raises AttributeError for a route that `describes` nothing."""
    paths: dict[str, Any] = {}
    for rule in api_rules(app):
        for method in sorted(rule.methods or ()):
            if method not in ("HEAD", "OPTIONS"):
                paths.setdefault(template(rule), {})[method.lower()] = operation(app, rule)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Video Context Service", "version": __version__, "description": ABOUT},
        "servers": [{"url": PREFIX}],
        "tags": [{"name": name} for name in sorted({tag(rule) for rule in api_rules(app)})],
        "paths": paths,
        "components": {
            "schemas": {file["title"]: component(file) for file in schema.all_schemas().values()},
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def api_rules(app: Flask) -> Iterator[Rule]:
    return (rule for rule in app.url_map.iter_rules() if rule.rule.startswith(PREFIX + "/"))


def template(rule: Rule) -> str:
    """The path as OpenAPI writes it; a route's `<job_id>` is `{id}`, as the documentation calls it."""
    return re.sub(r"<(?:\w+:)?(?:[a-z]+_)?(\w+)>", r"{\1}", rule.rule.removeprefix(PREFIX))


def tag(rule: Rule) -> str:
    blueprint, dot, _ = rule.endpoint.rpartition(".")
    return blueprint if dot else "service"


def operation(app: Flask, rule: Rule) -> dict[str, Any]:
    view = app.view_functions[rule.endpoint]
    about, limits = description_of(view), app.config["SETTINGS"].limits.service
    described = {
        "operationId": rule.endpoint.rpartition(".")[2],
        "tags": [tag(rule)],
        "summary": about.summary,
        "description": inspect.getdoc(view),
        "security": security(about),
        "parameters": list(about.parameters),
        "requestBody": about.body and request_body(about, rule_of(view).max_bytes(limits)),
        "responses": responses(about),
    }
    return {name: value for name, value in described.items() if value or name == "security"}


def request_body(about: Description, most: int) -> dict[str, Any]:
    return {"required": True, "description": f"At most {most} bytes.", "content": about.body}


def security(about: Description) -> list[dict[str, list[str]]]:
    """The credentials that are accepted, with the scope they need; `{}` is none at all."""
    if about.scope is None:
        return []
    accepted = [name for name in SECURITY_SCHEMES if name != "ApiKey" or not needs_session(about)]
    credentials = [{name: [about.scope]} for name in accepted]
    return credentials if about.account else [{}, *credentials]


def needs_session(about: Description) -> bool:
    return "session_required" in about.refusals


def responses(about: Description) -> dict[str, Any]:
    found = {status: answered(answer) for status, answer in about.answers.items()}
    by_status: dict[int, list[str]] = {}
    for code in refusals(about):
        by_status.setdefault(status_of(code), []).append(code)
    if about.misfit != status_of("invalid_request"):
        by_status.setdefault(about.misfit, []).append("invalid_request")
    for status, codes in by_status.items():
        found[status] = either(found[status], refused(status, codes)) if status in found else refused(status, codes)
    return {str(status): found[status] for status in sorted(found)}


def either(own: dict[str, Any], refusal: dict[str, Any]) -> dict[str, Any]:
    """A route's own answer of a status that refusals have too."""
    content = own["content"]["application/json"]
    shapes = [content["schema"], refusal["content"]["application/json"]["schema"]]
    return {**own, "content": {"application/json": {**content, "schema": {"anyOf": shapes}}}}


def refusals(about: Description) -> list[str]:
    """Every code that the route may answer, once."""
    codes = [*EVERYWHERE, *about.refusals]
    if about.scope is not None:
        codes += WRONG_CREDENTIAL
    if about.scope == "all" and not needs_session(about):
        codes.append("insufficient_scope")
    if about.account or about.scope == "all":  # no credential, or the cookie of a session that has ended
        codes.append("unauthorized")
    return list(dict.fromkeys(codes))


def answered(answer: Answer) -> dict[str, Any]:
    headers = {"headers": answer.headers} if answer.headers else {}
    return {"description": answer.description, **headers, "content": answer.content}


def refused(status: int, codes: Iterable[str]) -> dict[str, Any]:
    """The answer of one status, with the codes that it may carry."""
    with_code = {"properties": {"error": {"properties": {"code": {"enum": sorted(codes)}}}}}
    headers = {"headers": REFUSAL_HEADERS[status]} if status in REFUSAL_HEADERS else {}
    return {
        "description": HTTPStatus(status).phrase,
        **headers,
        "content": {"application/json": {"schema": {"allOf": [ref("error"), with_code]}}},
    }


def component(file: Any) -> Any:
    """A schema file as a component: its links to other files lead into the document."""
    if isinstance(file, list):
        return [component(item) for item in file]
    if not isinstance(file, dict):
        return file
    if isinstance(target := file.get("$ref"), str):
        return {**file, **ref(target.removesuffix(".json"))}
    return {key: component(value) for key, value in file.items() if key not in ("$schema", "$id")}
