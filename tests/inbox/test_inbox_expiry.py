"""What time removes of the inbox."""

import pytest
from freezegun import freeze_time

from svc.inbox import contact, postman, waitlist
from svc.inbox.models import ContactMessage, WaitlistEntry, WaitlistLink, WaitlistMail

ADA = "ada@example.org"
DAY = 24 * 3600


@pytest.fixture
def time():
    with freeze_time("2026-11-20") as time:
        yield time


def cleaned(svc):
    return {kind: sums["count"] for kind, sums in svc("cleanup")["kinds"].items()}


def test_a_message_goes_a_month_after_it_is_done(svc, settings, time):
    body = {"topic": "abuse", "email": ADA, "message": "Somebody is rude."}
    for _ in range(2):
        contact.receive(settings, body, "visitor")
    svc("contact", "done", ContactMessage.get().id)
    time.tick(30 * DAY - 1)
    assert cleaned(svc) == {}
    time.tick(1)
    assert cleaned(svc) == {"contact_messages": 1} and ContactMessage.select().count() == 1


def test_who_is_on_the_list_stays(svc, settings, time):
    waitlist.join(settings, {"email": ADA, "interest": "pro"}, "visitor")
    time.tick(400 * DAY)
    assert cleaned(svc) == {}


def test_what_nobody_confirms_goes_with_its_last_link(svc, time):
    now = int(time.time_to_freeze.timestamp() * 1000)
    entry = {"email": ADA, "interest": "pro", "path": "", "ref": "", "created_at": now}
    WaitlistEntry.create(**entry)
    WaitlistMail.create(email=ADA, purpose=postman.JOIN, due_at=now)
    expires_at = now + 8 * DAY * 1000
    WaitlistLink.create(token_hash="x", email=ADA, purpose=postman.JOIN, created_at=now, expires_at=expires_at)
    time.tick(8 * DAY - 1)
    assert cleaned(svc) == {"waitlist_mails": 1}
    time.tick(1)
    assert cleaned(svc) == {"waitlist_links": 1, "waitlist_entries": 1}
