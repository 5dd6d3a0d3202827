"""The sign-in mail, as a real SMTP server receives it from a running service, and what its link does."""

import re
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email import message_from_bytes, policy

import httpx
import pytest
from people import Person, token_of
from refused import refused
from service import Service
from smtp_inbox import Inbox

from app import create_app
from svc.accounts import mail_link
from svc.core import post

KNOWN = "known@example.org"


@pytest.fixture(scope="module")
def inbox():
    inbox = Inbox()
    inbox.start()
    yield inbox
    inbox.stop()


@pytest.fixture(scope="module")
def service(inbox, tmp_path_factory):
    environ = {
        "SVC_SMTP_URL": inbox.url,
        "SVC_MAIL_FROM": "Video <video@example.org>",
        "SVC_WORKERS": "1",
    }
    with Service(tmp_path_factory.mktemp("mail"), **environ) as running:
        Person(running, KNOWN)
        yield running


def ask(service, email, **more):
    return service.post("/auth/sign-in/magic-link", json={"email": email, **more})


def link_in(mail):
    return re.search(r"http\S+/sign-in/confirm\S+", mail.get_content())[0]


def press(service, link):
    """The button on the page that a link opens, in a browser that knows nothing yet."""
    token = {"token": token_of(link)}
    return httpx.post(f"{service.base}/sign-in/confirm", data=token, trust_env=False)


def test_the_mail_comes_from_the_service_and_says_what_it_is(service, inbox):
    assert ask(service, "Ada@Example.org").json() == {"status": True}
    mail = inbox.take("ada@example.org")
    assert (mail["From"], mail["To"]) == ("Video <video@example.org>", "ada@example.org")
    assert mail["Message-ID"] and mail["Date"] and mail["Auto-Submitted"] == "auto-generated"
    assert not list(service.data_dir.glob("outbox/*"))


def test_a_link_signs_in_once(service, inbox):
    ask(service, "once@example.org")
    link = link_in(inbox.take("once@example.org"))
    first, second = press(service, link), press(service, link)
    assert (first.status_code, first.headers["Location"]) == (303, "/dashboard")
    me = service.get("/v1/me", headers={"Cookie": first.headers["Set-Cookie"].partition(";")[0]}).json()
    assert (me["user"]["email"], me["plan"]) == ("once@example.org", "free")
    assert second.status_code == 401 and "Set-Cookie" not in second.headers


def test_of_many_presses_at_once_one_signs_in(service, inbox):
    ask(service, "hasty@example.org")
    link = link_in(inbox.take("hasty@example.org"))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: press(service, link), range(8)))
    assert Counter(answer.status_code for answer in answers) == {303: 1, 401: 7}


def test_a_mail_scanner_does_not_use_the_link_up(service, inbox):
    ask(service, "scanned@example.org")
    link = link_in(inbox.take("scanned@example.org"))
    path = link[link.index("/sign-in") :]
    for method in ("GET", "HEAD"):
        assert "Set-Cookie" not in httpx.request(method, service.base + path, trust_env=False).headers
    assert press(service, link).status_code == 303


def test_a_link_goes_on_to_where_it_was_asked_for(service, inbox):
    path = "/device?user_code=BCDF-GHJK"
    ask(service, "next@example.org", callbackURL=path)
    assert press(service, link_in(inbox.take("next@example.org"))).headers["Location"] == path


@pytest.mark.parametrize("callback", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x"])
def test_a_link_never_leads_to_another_site(service, callback):
    refused(ask(service, "away@example.org", callbackURL=callback), 400, "invalid_request")


def test_nobody_learns_who_has_an_account(service, inbox):
    known, unknown = ask(service, KNOWN), ask(service, "unknown@example.org")
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content) == (200, b'{"status":true}')
    bodies = [inbox.take(who).get_content() for who in (KNOWN, "unknown@example.org")]
    assert len({re.sub(r"token=\S+", "token=", body) for body in bodies}) == 1


def test_a_mail_server_that_is_down_shows_in_no_answer_and_gets_the_mail_later(service, inbox):
    inbox.stop()
    try:
        assert ask(service, "down@example.org").json() == {"status": True}
    finally:
        inbox.start()
    assert press(service, link_in(inbox.take("down@example.org"))).status_code == 303


@pytest.fixture
def tarpit():
    """A mail server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        yield silent


def test_a_mail_server_that_says_nothing_holds_up_no_answer(client, settings, tarpit, monkeypatch):
    url = f"smtp://127.0.0.1:{tarpit.getsockname()[1]}"
    app = create_app(replace(settings, smtp_url=url))
    assert app.test_client().post("/api/auth/sign-in/magic-link", json={"email": KNOWN}).status_code == 200
    connection, _ = tarpit.accept()  # only now: the answer did not wait for a word
    monkeypatch.setattr(post, "PAUSES", ())
    connection.close()


def test_mails_that_fail_lock_nobody_out(client, settings, monkeypatch):
    monkeypatch.setattr(post, "PAUSES", (0, 0))
    client = create_app(replace(settings, smtp_url="smtp://127.0.0.1:1")).test_client()
    for _ in range(3 * mail_link.LINKS_AN_ADDRESS):
        assert client.post("/api/auth/sign-in/magic-link", json={"email": KNOWN}).status_code == 200
        wait_for(lambda: not mail_link.links.hits[KNOWN])


def wait_for(holds):
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_mail_that_is_given_up_is_logged_without_its_link(client, settings, monkeypatch, caplog):
    monkeypatch.setattr(post, "PAUSES", (0, 0))
    given_up = threading.Event()
    post.post(replace(settings, smtp_url="smtp://127.0.0.1:1"), KNOWN, "Hello", "secret link", given_up.set)
    assert given_up.wait(10)
    assert "given up" in caplog.text and "Connection refused" in caplog.text and "secret" not in caplog.text


def test_too_many_waiting_mails_are_refused(client, settings, monkeypatch):
    monkeypatch.setattr(post, "room", threading.BoundedSemaphore(1))
    post.room.acquire()
    client = create_app(replace(settings, smtp_url="smtp://127.0.0.1:1")).test_client()
    answer = client.post("/api/auth/sign-in/magic-link", json={"email": KNOWN})
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "busy")


def test_without_a_mail_server_the_mail_is_a_file(client, settings):
    assert client.post("/api/auth/sign-in/magic-link", json={"email": KNOWN}).json == {"status": True}
    [path] = settings.folder("outbox").glob("*.eml")
    mail = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert mail["To"] == KNOWN
    assert client.post("/sign-in/confirm", data={"token": token_of(link_in(mail))}).status_code == 303
