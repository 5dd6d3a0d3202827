"""Who is signed in where: seen and ended by the account's owner."""

import re
from datetime import UTC, datetime

import pytest
from freezegun import freeze_time
from people import token_of

from svc.accounts import browser, device, mail_link, sessions, users
from svc.accounts.cookie import COOKIE
from svc.core import clock

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Safari/537.36 Edg/140.0.0.0"
)


@pytest.fixture
def user(client):
    return users.create("grace@example.org")


@pytest.fixture
def here(client, user):
    """The session of the test client's browser."""
    token = sessions.start(user, "Firefox on Linux")
    client.set_cookie(COOKIE, token)
    return sessions.find(token)


def sign_in(client, settings, email="grace@example.org", agent=FIREFOX):
    token = token_of(mail_link.make(settings, email))
    return client.post("/sign-in/confirm", data={"token": token}, headers={"User-Agent": agent})


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (FIREFOX, "Firefox on Linux"),
        (SAFARI, "Safari on iPhone"),
        (EDGE, "Edge on Windows"),
        ("Mozilla/5.0 (Macintosh)", "Mac"),
        ("curl/8.5.0", None),
        ("", None),
    ],
)
def test_a_browser_has_a_coarse_label(agent, label):
    assert browser.label_of(agent) == label


def test_the_dashboard_lists_the_sessions(client, settings, user):
    sessions.start(user, "Safari on iPhone")
    sign_in(client, settings)
    page = client.get("/dashboard").text
    assert re.findall(r"name\"><strong>(.+?)</strong>\s*(<span class=\"mark\">this browser)?", page) == [
        ("Firefox on Linux", '<span class="mark">this browser'),
        ("Safari on iPhone", ""),
    ]


def test_a_session_of_a_device_has_its_name(client, settings, user):
    login = device.begin(settings, "svc-mac", "visitor")
    device.decide(device.waiting(login["user_code"], "guesser"), user, allow=True)
    device.collect(device.GRANT, login["device_code"], "svc-mac")
    assert [one.label for one in sessions.of(user)] == ["The Mac app"]


def test_a_session_was_last_seen_when_it_was_last_used(user):
    with freeze_time("2026-11-20 12:00") as time:
        token = sessions.start(user)
        time.tick(6 * 3600)
        sessions.move_end(sessions.find(token))
        [session] = sessions.of(user)
        assert sessions.last_seen(session) - session.created_at == 6 * 3600 * 1000


def test_an_ended_session_is_not_listed(user):
    with freeze_time("2026-11-20") as time:
        sessions.start(user)
        time.tick(sessions.LIFETIME_MS / 1000)
        assert sessions.of(user) == []


def test_one_session_is_ended_by_its_name(client, user, here):
    tokens = [sessions.start(user), sessions.start(user)]
    name = sessions.name_of(sessions.find(tokens[0]))
    assert client.post("/dashboard/sessions", data={"name": name}).location == "/dashboard#sessions-heading"
    assert [bool(sessions.find(token)) for token in tokens] == [False, True]
    assert client.get("/dashboard").status_code == 200


def test_every_other_session_is_ended(client, user, here):
    sessions.start(user)
    client.post("/dashboard/sessions", data={"others": "yes"})
    assert sessions.of(user) == [here]


@pytest.mark.parametrize("form", [{}, {"name": ""}, {"name": "x"}, {"name": "%"}])
def test_an_unknown_name_ends_nothing(client, user, here, form):
    client.post("/dashboard/sessions", data=form)
    assert sessions.of(user) == [here]


def test_nobody_ends_a_strangers_session(client, here):
    stranger = users.create("ada@example.org")
    name = sessions.name_of(sessions.find(sessions.start(stranger)))
    client.post("/dashboard/sessions", data={"name": name})
    client.post("/dashboard/sessions", data={"others": "yes"})
    assert len(sessions.of(stranger)) == 1


def test_a_page_of_another_site_ends_no_session(client, user, here):
    sessions.start(user)
    answer = client.post("/dashboard/sessions", data={"others": "yes"}, headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 403 and len(sessions.of(user)) == 2


def test_sessions_are_ended_by_who_is_signed_in_only(client):
    assert client.post("/dashboard/sessions", data={"others": "yes"}).location == "/sign-in?next=/dashboard"


def test_signing_in_again_ends_the_session_it_replaces(client, settings, user, here):
    sign_in(client, settings)
    [session] = sessions.of(user)
    assert session != here and client.get("/dashboard").status_code == 200


def test_a_link_that_does_not_work_ends_no_session(client, user, here):
    assert client.post("/sign-in/confirm", data={"token": "x"}).status_code == 401
    assert sessions.of(user) == [here]


@pytest.mark.parametrize(("email", "told"), [("ada@example.org", True), ("grace@example.org", False)])
def test_whom_a_sign_in_would_replace_is_said(client, settings, here, email, told):
    token = token_of(mail_link.make(settings, email))
    page = client.get("/sign-in/confirm", query_string={"token": token}).text
    assert ('This browser is signed in as <strong class="break">grace@example.org' in page) == told


PAGES_AND_CALLS = ["/", "/dashboard", "/device", "/waitlist", "/api/v1/me", "/api/v1/keys", "/api/v1/jobs/job_x"]


def max_ages(answer):
    """How long each cookie of an answer lasts."""
    return [int(age) for line in answer.headers.getlist("Set-Cookie") for age in re.findall(r"Max-Age=(\d+)", line)]


@pytest.mark.parametrize("path", PAGES_AND_CALLS)
def test_the_cookie_lasts_on_as_the_session_does(client, user, path):
    with freeze_time("2026-11-20") as time:
        client.set_cookie(COOKIE, sessions.start(user))
        time.tick(sessions.RENEWED_AFTER_MS / 1000)
        assert max_ages(client.get(path)) == []
        time.tick(1)
        answer = client.get(path)
        assert max_ages(answer) == [sessions.LIFETIME_MS // 1000] and answer.headers["Cache-Control"] == "no-store"
        assert max_ages(client.get(path)) == []
        [session] = sessions.of(user)
        assert session.expires_at == clock.now_ms() + sessions.LIFETIME_MS


def test_a_browser_that_comes_now_and_then_stays_signed_in(client, user):
    with freeze_time("2026-11-20") as time:
        client.set_cookie(COOKIE, sessions.start(user))
        for _ in range(5):
            time.tick(20 * 24 * 3600)
            assert not client.get("/api/v1/me").json["anonymous"]


@pytest.mark.parametrize(("method", "path"), [("POST", "/sign-out"), ("DELETE", "/api/v1/account")])
def test_who_leaves_gets_no_cookie_again(client, user, method, path):
    with freeze_time("2026-11-20") as time:
        client.set_cookie(COOKIE, sessions.start(user))
        time.tick(3600)
        client.open(path, method=method)
        assert client.get_cookie(COOKIE) is None


def test_a_bearer_gets_no_cookie(client, user):
    with freeze_time("2026-11-20") as time:
        token = sessions.start(user)
        time.tick(3600)
        answer = client.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
        assert answer.json["auth"]["via"] == "bearer" and "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(("with_cookie", "told"), [(True, "dashboard"), (False, "session")])
def test_a_key_says_where_it_was_made(client, user, with_cookie, told):
    token = sessions.start(user)
    if with_cookie:
        client.set_cookie(COOKIE, token)
    headers = {} if with_cookie else {"Authorization": f"Bearer {token}"}
    assert client.post("/api/v1/keys", json={"name": "x"}, headers=headers).json["createdVia"] == told


def test_a_plan_that_has_ended_has_no_end_any_more(client, user):
    with freeze_time("2026-11-20") as time:
        users.set_plan(user, "pro", clock.now_ms() + 1000)
        client.set_cookie(COOKIE, sessions.start(user))
        ends = []
        for _ in range(2):
            entitlement = client.get("/api/v1/me").json["entitlement"]
            ends.append((entitlement["plan"], entitlement["planUntil"]))
            time.tick(1)
    assert ends == [("pro", clock.to_ms(datetime(2026, 11, 20, 0, 0, 1, tzinfo=UTC))), ("free", None)]
