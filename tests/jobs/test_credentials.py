"""What an API key opens, and what a bad one is told at every door."""

import sqlite3

import pytest
from refused import refused

NO_JOB = "/v1/jobs/job_" + "x" * 22
WORK = [("POST", "/v1/context"), ("PUT", "/v1/uploads"), ("POST", "/v1/transcribe")]
READ = [("GET", "/v1/jobs"), ("GET", NO_JOB), ("GET", NO_JOB + "/events"), ("DELETE", NO_JOB)]


@pytest.fixture(scope="module")
def make_key(service):
    service.command("users", "create", "keys@example.org")
    return lambda *options: service.command("keys", "create", "keys@example.org", *options)


def call(service, method, path, key):
    return service.http.request(method, "/api" + path, content=b"{}", headers={"X-API-Key": key})


@pytest.mark.parametrize(("method", "path"), WORK)
@pytest.mark.parametrize("scope", ["read", "mcp"])
def test_a_key_that_may_only_read_starts_no_work(service, make_key, method, path, scope):
    key = make_key("--scopes", scope)["key"]
    refused(call(service, method, path, key), 403, "insufficient_scope")


def test_a_key_that_may_only_read_ends_no_job(service, video_site, make_key):
    every, reader = make_key()["key"], make_key("--scopes", "read")["key"]
    job = service.create({"X-API-Key": every}, url=video_site.url("/watch/manual"), mode="captions")
    path = f"/v1/jobs/{job['job_id']}"
    refused(call(service, "DELETE", path, reader), 403, "insufficient_scope")
    assert call(service, "GET", path, reader).status_code == 200


@pytest.mark.parametrize("ended", ["expires_at", "revoked_at"])
def test_an_expired_or_revoked_key_is_refused(service, make_key, ended):
    key = make_key()
    with sqlite3.connect(service.data_dir / "svc.db") as database:
        database.execute(f"update api_key set {ended} = 1 where id = ?", [key["id"]])
    refused(call(service, "GET", "/v1/jobs", key["key"]), 401, "invalid_api_key")


@pytest.mark.parametrize(("method", "path"), WORK + READ)
def test_a_bad_key_is_refused_at_every_door(service, method, path):
    refused(call(service, method, path, "svc_live_x"), 401, "invalid_api_key")


def test_what_is_no_key_is_an_invalid_token(service):
    refused(call(service, "GET", "/v1/jobs", "secret"), 401, "invalid_token")


def test_nothing_where_a_credential_is_needed(service):
    refused(service.get("/v1/jobs"), 401, "unauthorized")


@pytest.mark.parametrize("path", ["/v1/jobs", "/v1/me"])
@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("Basic eDp5", "invalid_token"),
        ("Token x", "invalid_token"),
        ("x", "invalid_token"),
        ("Bearer", "invalid_token"),
        ("", "invalid_token"),
        ("svc_live_x", "invalid_api_key"),
        ("Token svc_live_x", "invalid_api_key"),
    ],
)
def test_a_credential_sent_in_another_way_is_not_taken_for_none(service, path, sent, code):
    refused(service.get(path, headers={"Authorization": sent}), 401, code)


def test_the_word_bearer_may_be_written_anyhow(service, make_key):
    key = make_key()["key"]
    for scheme in ("Bearer", "bearer", "BEARER "):
        answer = service.get("/v1/me", headers={"Authorization": f"{scheme} {key}"})
        assert answer.json()["auth"]["via"] == "api_key"


def test_a_refused_key_is_not_repeated(service, make_key):
    mistyped = make_key()["key"][:-1] + "_"
    assert mistyped[9:] not in call(service, "GET", "/v1/jobs", mistyped).text


@pytest.mark.parametrize("path", ["/v1/status", "/v1/openapi.json", "/health"])
def test_public_routes_ask_for_no_credential(service, path):
    assert call(service, "GET", path, "svc_live_x").status_code == 200
