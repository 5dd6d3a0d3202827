"""The cookie of a session that has ended: what only reads is anonymous, anything else is refused once."""

import socket

import pytest
from people import Person
from service import Service

from svc.accounts import keys, sessions, users
from svc.accounts.cookie import COOKIE

NO_JOB = "/api/v1/jobs/" + "job_" + "x" * 22
CHANGES = [("POST", "/api/v1/context"), ("PUT", "/api/v1/uploads"), ("POST", "/api/v1/transcribe"), ("DELETE", NO_JOB)]


@pytest.fixture
def user(client):
    return users.create("grace@example.org")


@pytest.fixture
def browser(client, user):
    """A browser that was signed out elsewhere."""
    token = sessions.start(user)
    client.set_cookie(COOKIE, token)
    sessions.end(token)
    return client


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_what_changes_something_is_refused_and_the_cookie_goes(browser, method, path):
    answer = browser.open(path, method=method, data=b"{}")
    assert (answer.status_code, answer.json["error"]["code"]) == (401, "unauthorized")
    assert browser.get_cookie(COOKIE) is None


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_the_next_try_is_anonymous(browser, method, path):
    answers = [browser.open(path, method=method, data=b"{}") for _ in range(2)]
    assert answers[1].status_code != 401


def test_what_only_reads_is_anonymous_and_the_cookie_stays(browser):
    answer = browser.get("/api/v1/me")
    assert answer.json["anonymous"] and "Set-Cookie" not in answer.headers


def test_a_key_beside_it_counts(browser, user):
    _, key = keys.create(user, "test", most=1)
    answer = browser.delete(NO_JOB, headers={"X-API-Key": key})
    assert answer.status_code == 404


def test_the_site_can_be_used_with_it(browser):
    assert "Sign in" in browser.get("/").text
    assert browser.post("/sign-in", data={"email": "grace@example.org"}).status_code == 200


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with Service(tmp_path_factory.mktemp("ending"), SVC_WORKERS="0") as running:
        yield running


def test_an_upload_whose_session_ends_on_its_way_is_refused(service):
    ada = Person(service, "ada@example.org")
    head = f"PUT /api/v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\nCookie: {ada.cookie['Cookie']}\r\n\r\n"
    with socket.create_connection((service.http.base_url.host, service.http.base_url.port), timeout=20) as upload:
        upload.sendall(head.encode() + b"half")
        ada.browser.post("/sign-out")
        upload.sendall(b"half")
        answer = upload.recv(65536)
    assert answer.startswith(b"HTTP/1.1 401 ") and b"Set-Cookie: svc_session=;" in answer
    assert not list((service.data_dir / "uploads").glob("*"))
