"""The waitlist with a mail server: joining and leaving take a link that a real SMTP server receives."""

import re
from dataclasses import replace

import pytest
from freezegun import freeze_time

from app import create_app
from svc.core.database import db
from svc.inbox import postman
from svc.inbox.models import WaitlistEntry, WaitlistMail

ADA = "ada@example.org"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
DAY = 24 * 3600


@pytest.fixture
def settings(settings, inbox):
    return replace(settings, smtp_url=inbox.url, mail_from="video@example.org")


@pytest.fixture
def asked(client):
    """Joins or leaves, as a new visitor each time."""
    visitors = iter(range(250))

    def ask(path, **body):
        where = {"REMOTE_ADDR": f"192.0.2.{next(visitors)}"}
        answer = client.post(path, json={"email": ADA, **body}, environ_base=where)
        assert answer.status_code == 200, answer.text
        return answer

    return ask


@pytest.fixture
def join(asked):
    return lambda email=ADA, interest="pro": asked("/api/v1/waitlist", email=email, interest=interest)


@pytest.fixture
def leave(asked):
    return lambda email=ADA: asked("/api/v1/waitlist/leave", email=email)


def link_to(inbox, address=ADA):
    """The path and query of the link in the newest mail."""
    return re.search(r"http://[^/]+(\S+)", inbox.mail_to(address).get_content().partition("Open this page")[2])[1]


@pytest.fixture
def on_list(join, mailed, client, inbox):
    """Ada has confirmed her address."""
    join()
    mailed()
    assert client.get(link_to(inbox)).status_code == 200


def waiting():
    return {entry.interest for entry in WaitlistEntry.select() if entry.joined_at}


def test_an_address_is_on_the_list_when_its_link_is_opened(join, mailed, client, inbox):
    assert join().json == {"ok": True, "confirm_by_email": True}
    assert mailed() == [ADA] and not waiting()
    answer = client.get(link_to(inbox))
    assert (answer.status_code, answer.json, waiting()) == (200, {"ok": True}, {"pro"})


def test_a_second_click_says_the_same(on_list, client, inbox):
    joined_at = WaitlistEntry.get().joined_at
    assert client.get(link_to(inbox)).json == {"ok": True}
    assert WaitlistEntry.get().joined_at == joined_at


def test_the_link_opens_a_page_in_a_browser_that_comes_from_another_site(join, mailed, client, inbox):
    join()
    mailed()
    answer = client.get(link_to(inbox), headers={"Accept": BROWSER, "Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, answer.mimetype, answer.headers["Vary"]) == (200, "text/html", "Accept")
    assert "You are on the list" in answer.text and waiting() == {"pro"}


def test_the_mail_says_what_it_is_about(join, mailed, inbox):
    join(interest="pro")
    join(interest="mac")
    assert mailed() == [ADA]
    assert "for: mac, pro" in inbox.mail_to(ADA).get_content()


def test_a_token_is_kept_as_a_hash_only(join, mailed, inbox, settings):
    join()
    mailed()
    token = link_to(inbox).rpartition("=")[2]
    assert token.encode() not in b"".join(path.read_bytes() for path in settings.data_dir.glob("svc.db*"))


def test_a_link_is_good_for_seven_days(join, mailed, client, inbox):
    with freeze_time() as time:
        join()
        mailed()
        time.tick(7 * DAY - 1)
        assert client.get(link_to(inbox)).status_code == 200
        time.tick(1)
        assert client.get(link_to(inbox)).status_code == 422


def test_a_link_confirms_only_what_its_mail_told_of(on_list, join, client, inbox):
    link = link_to(inbox)
    with freeze_time() as time:
        time.tick(1)
        join(interest="mac")
    client.get(link)
    assert waiting() == {"pro"}


def test_a_pending_address_gets_three_mails_a_day(join, mailed):
    sent = []
    for _ in range(5):
        join()
        sent += mailed()
    assert sent == [ADA] * 3


def test_who_is_on_the_list_gets_no_mail_for_joining_again(on_list, join, mailed):
    join()
    assert mailed() == []


def test_who_is_not_on_the_list_gets_no_mail_for_leaving(leave, mailed):
    leave("grace@example.org")
    assert mailed() == []


def test_asking_is_the_same_work_for_every_address(on_list, join, leave, mailed):
    made = []
    db.query_hooks.append(lambda event: made.append(event.sql))

    def work(ask, email):
        made.clear()
        return ask(email).data, list(made)

    assert work(join, ADA) == work(join, "grace@example.org")
    assert work(leave, ADA) == work(leave, "bob@example.org")
    assert made


def test_a_stranger_takes_nobody_off_the_list(on_list, leave, mailed, client, inbox):
    leave()
    assert mailed() == [ADA]
    client.get(link_to(inbox))  # as a mail scanner does
    assert waiting() == {"pro"}


def test_the_button_behind_the_mailed_link_takes_the_address_off(on_list, leave, mailed, client, inbox):
    confirmation = link_to(inbox)
    leave()
    mailed()
    path, _, token = link_to(inbox).partition("?token=")
    assert f'value="{token}"' in client.get(f"{path}?token={token}").text
    assert "You are off the list" in client.post(path, data={"token": token}).text
    assert not WaitlistEntry.select().exists()
    assert client.post(path, data={"token": token}).status_code == 422
    assert client.get(confirmation).status_code == 422


def test_a_link_is_for_its_own_purpose(join, mailed, client, inbox):
    join()
    mailed()
    token = link_to(inbox).rpartition("=")[2]
    assert client.post("/waitlist/leave/confirm", data={"token": token}).status_code == 422
    assert WaitlistEntry.select().exists()


def test_what_nobody_confirmed_goes_at_once(join, leave, mailed, client, inbox):
    join()
    mailed()
    leave()
    assert not WaitlistEntry.select().exists()
    assert client.get(link_to(inbox)).status_code == 422


def test_a_mail_that_fails_is_sent_later(join, mailed, inbox):
    with freeze_time() as time:
        inbox.stop()
        try:
            join()
            assert mailed() == []
        finally:
            inbox.start()
        assert mailed() == []
        time.tick(postman.RETRY_MS / 1000)
        assert mailed() == [ADA] and not WaitlistMail.select().exists()


def test_a_mail_that_always_fails_is_given_up_after_a_day(join, mailed, inbox, settings):
    nowhere = replace(settings, smtp_url="smtp://127.0.0.1:1")
    with freeze_time() as time:
        join()
        for _ in range(30):
            postman.send_due(nowhere)
            time.tick(3600)
        assert WaitlistMail.get().tries == postman.MOST_TRIES
        assert mailed() == []


def test_without_a_mail_server_later_the_next_join_counts(join, mailed, settings):
    join()
    client = create_app(replace(settings, smtp_url="")).test_client()
    client.post("/api/v1/waitlist", json={"email": ADA, "interest": "pro"})
    assert waiting() == {"pro"}


def test_a_mail_that_cannot_be_written_is_given_up_and_the_rest_goes_on(join, mailed, caplog):
    join("zoe@example.org")
    for table in (WaitlistEntry, WaitlistMail):
        table.update(email="zoe@example.org\n").execute()
    WaitlistMail.update(due_at=1).execute()
    join()
    assert mailed() == [ADA] and not WaitlistMail.select().exists()
    assert "is given up" in caplog.text
