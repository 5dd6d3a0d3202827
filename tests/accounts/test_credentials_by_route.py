"""Every route of the API × every kind of caller: who gets in, and what the others are told.

"ok" is past authentication: neither 401 nor 403, and no fault. The bodies are bad, so that nothing is made behind the
door; what a caller may delete is made for that.
"""

import re
import sqlite3
from itertools import count

import pytest
from people import Person
from service import Service

from svc.accounts.secrets import make_key

ANYONE = dict.fromkeys(
    (
        *("none", "read key", "mcp key", "all key", "all key as bearer", "session as bearer", "cookie"),
        *(
            "ended cookie",
            "cookie from another site",
            "unknown key",
            "malformed key",
            "expired key",
            "revoked key",
            "unknown bearer",
        ),
    ),
    "ok",
)
ANYONE_GOOD = ANYONE | {
    "cookie from another site": "bad_origin",
    "unknown key": "invalid_api_key",
    "malformed key": "invalid_api_key",
    "expired key": "invalid_api_key",
    "revoked key": "invalid_api_key",
    "unknown bearer": "invalid_token",
}
NOT_TO_READ = {"read key": "insufficient_scope", "mcp key": "insufficient_scope", "ended cookie": "unauthorized"}
NO_KEY = dict.fromkeys(("read key", "mcp key", "all key", "all key as bearer"), "session_required")
NOT_ANONYMOUS = {"none": "unauthorized", "ended cookie": "unauthorized"}

ROUTES = {
    "GET /health": ANYONE,
    "GET /v1/status": ANYONE,
    "GET /v1/openapi.json": ANYONE,
    "POST /auth/device/code": ANYONE,
    "POST /auth/device/token": ANYONE,
    "POST /auth/sign-in/magic-link": ANYONE | {"cookie from another site": "bad_origin"},
    "POST /v1/contact": ANYONE | {"cookie from another site": "bad_origin"},
    "POST /v1/waitlist": ANYONE | {"cookie from another site": "bad_origin"},
    "POST /v1/waitlist/leave": ANYONE | {"cookie from another site": "bad_origin"},
    "GET /v1/waitlist/confirm": ANYONE,
    "GET /v1/me": ANYONE_GOOD,
    "GET /v1/jobs/{id}": ANYONE_GOOD,
    "GET /v1/jobs/{id}/events": ANYONE_GOOD,
    "GET /v1/jobs/{id}/export": ANYONE_GOOD,
    "DELETE /v1/jobs/{id}": ANYONE_GOOD | NOT_TO_READ,
    "POST /v1/context": ANYONE_GOOD | NOT_TO_READ,
    "PUT /v1/uploads": ANYONE_GOOD | NOT_TO_READ,
    "POST /v1/transcribe": ANYONE_GOOD | NOT_TO_READ,
    "POST /v1/ask": ANYONE_GOOD | NOT_TO_READ,
    "GET /v1/jobs": ANYONE_GOOD | NOT_ANONYMOUS,
    "GET /v1/keys": ANYONE_GOOD | NOT_ANONYMOUS | NOT_TO_READ,
    "POST /v1/keys": ANYONE_GOOD | NOT_ANONYMOUS | NO_KEY,
    "DELETE /v1/keys/{id}": ANYONE_GOOD | NOT_ANONYMOUS | NO_KEY,
    "DELETE /v1/account": ANYONE_GOOD | NOT_ANONYMOUS | NO_KEY,
    "POST /v1/cli/exchange": ANYONE_GOOD | NOT_ANONYMOUS | NO_KEY | {"cookie": "session_required"},
}
CASES = [(route, kind, told) for route, callers in ROUTES.items() for kind, told in callers.items()]
EXPORT = {"format": "txt"}
BAD_BODY = b'{"scopes": "everything"}'


@pytest.fixture(scope="module")
def service(video_site, tmp_path_factory):
    data_dir = tmp_path_factory.mktemp("doors")
    wide = "requests_per_minute = 10000\nwaiting_jobs = 50\n"
    data_dir.joinpath("svc.toml").write_text(f"[limits.anonymous]\n{wide}[limits.free]\n{wide}")
    environ = {"SVC_ALLOW_HOSTS": video_site.allow, "SVC_EXTRACTOR_PLUGINS": "true", "SVC_WORKERS": "1"}
    with Service(data_dir, video_site.plugin_path, **environ) as running:
        yield running


class Account:
    """One person's credentials, of every kind."""

    def __init__(self, service, email):
        person = Person(service, email)
        self.keys = {scope: person.make_key(scope)["key"] for scope in ("read", "mcp", "all")}
        expired, revoked = person.make_key(), person.make_key()
        with sqlite3.connect(service.data_dir / "svc.db") as database:
            database.execute("update api_key set expires_at = 1 where id = ?", [expired["id"]])
        person.revoke(revoked)
        self.headers = {
            "none": {},
            **{f"{scope} key": {"X-API-Key": key} for scope, key in self.keys.items()},
            "all key as bearer": bearer(self.keys["all"]),
            "session as bearer": bearer(person.device_token()),
            "cookie": person.cookie,
            "ended cookie": {"Cookie": "svc_session=" + "x" * 43},
            "cookie from another site": {**person.cookie, "Origin": "https://elsewhere.example"},
            "unknown key": {"X-API-Key": make_key()},
            "malformed key": {"X-API-Key": self.keys["all"][:-1] + "_"},
            "expired key": {"X-API-Key": expired["key"]},
            "revoked key": {"X-API-Key": revoked["key"]},
            "unknown bearer": bearer("x" * 43),
        }


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def make_account(service):
    numbers = count()
    return lambda: Account(service, f"door{next(numbers)}@example.org")


@pytest.fixture(scope="module")
def account(make_account):
    return make_account()


@pytest.fixture(scope="module")
def make_job(service, video_site, account):
    key = account.headers["all key"]
    return lambda: service.create(key, url=video_site.url("/captioned.html"), mode="captions")["job_id"]


@pytest.fixture(scope="module")
def job_id(service, account, make_job):
    """A job of the account that has ended."""
    return service.finished(make_job(), account.headers["all key"])["job_id"]


def test_the_table_has_every_route(service):
    paths = service.get("/v1/openapi.json").json()["paths"]
    assert set(ROUTES) == {f"{method.upper()} {path}" for path, item in paths.items() for method in item}


@pytest.mark.parametrize(("route", "kind", "told"), CASES)
def test_a_caller_is_let_in_or_told_why_not(service, account, make_account, job_id, make_job, route, kind, told):
    method, path = route.split()
    if route == "DELETE /v1/account" and told == "ok":
        account = make_account()
    if route == "DELETE /v1/jobs/{id}" and told == "ok":
        job_id = make_job()
    body = {} if method in ("GET", "DELETE") else {"content": BAD_BODY}
    path = "/api" + re.sub(r"\{id\}", job_id, path)
    answer = service.http.request(method, path, params=EXPORT, headers=account.headers[kind], **body)
    if told == "ok":
        assert answer.status_code not in (401, 403) and answer.status_code < 500, answer.text
    else:
        assert answer.status_code == (401 if told in ("unauthorized", "invalid_api_key", "invalid_token") else 403)
        assert answer.json()["error"]["code"] == told
