"""The pages of the contact form and the waitlist as the server sends them; their forms work without JavaScript."""

import re

import pytest

from svc.accounts import sessions, users
from svc.accounts.caller import COOKIE
from svc.inbox.models import ContactMessage, WaitlistEntry

ADA = "ada@example.org"
QUESTION = {"topic": "question", "email": f" {ADA} ", "message": "Line one\r\nline two", "website": ""}
PAGES = ("/contact", "/waitlist", "/waitlist/leave", "/waitlist/leave/confirm?token=x")


@pytest.mark.parametrize("path", PAGES)
def test_pages_load_nothing_inline_and_are_not_stored(client, path):
    page = client.get(path)
    assert (page.status_code, page.mimetype, page.headers["Cache-Control"]) == (200, "text/html", "no-store")
    assert not re.search(r"<style|<script|\sstyle=|\son\w+=|(src|href|action)=.(https?:)?//", page.text)
    assert "needs JavaScript" not in page.text


@pytest.mark.parametrize("path", ["/", "/contact", "/nowhere"])
def test_every_page_leads_to_both(client, path):
    assert all(f'href="{page}"' in client.get(path).text for page in ("/contact", "/waitlist"))


def test_a_message_is_sent(client):
    page = client.post("/contact", data=QUESTION)
    assert page.status_code == 200 and "has arrived" in page.text and ADA in page.text
    assert (ContactMessage.get().email, ContactMessage.get().message) == (ADA, "Line one\nline two")


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("topic", "", "Choose what it is about."),
        ("email", "ada", "This is not an e-mail address."),
        ("message", " " * 20, "Write 10 to 5000 characters."),
    ],
)
def test_what_is_wrong_stands_beside_the_field(client, field, value, told):
    page = client.post("/contact", data=QUESTION | {field: value})
    assert (page.status_code, page.mimetype) == (422, "text/html")
    assert f'aria-describedby="{field}-wrong"' in page.text
    assert re.search(rf'<p id="{field}-wrong"[^>]*role="alert">{re.escape(told)}</p>', page.text)


def test_what_was_typed_stays(client):
    typed = {"topic": "abuse", "email": ADA, "message": "<b>\nshort"}
    page = client.post("/contact", data=typed).text
    assert '<option value="abuse" selected>' in page and f'value="{ADA}"' in page and ">\n&lt;b&gt;\nshort</" in page


def test_an_empty_form_is_told_its_first_field(client):
    assert 'id="topic-wrong"' in client.post("/contact").text
    assert 'aria-invalid="true"' in client.post("/waitlist").text


def test_too_many_messages_are_told_above_the_form(client):
    answers = [client.post("/contact", data=QUESTION) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429]
    assert "Too many messages" in answers[-1].text and answers[-1].headers["Retry-After"]
    assert "Line one\nline two" in answers[-1].text


def test_a_bot_in_the_decoy_sees_a_success(client):
    assert "has arrived" in client.post("/contact", data=QUESTION | {"website": "x"}).text
    assert not ContactMessage.select().exists()


def test_an_unknown_field_is_told_above_the_form(client):
    page = client.post("/waitlist", data={"email": ADA, "interest": "pro", "colour": "red"})
    assert page.status_code == 422 and 'id="refusal"' in page.text


def test_the_link_to_the_waitlist_chooses_and_says_where_it_stood(client):
    page = client.get("/waitlist?interest=mac&ref=News-1").text
    assert '<option value="mac" selected>' in page and 'name="ref" value="news-1"' in page
    assert 'name="ref"' not in client.get("/waitlist?ref=a b").text


def test_the_waitlist_is_joined_and_left(client):
    joined = client.post("/waitlist", data={"email": ADA, "interest": "pro", "path": "/waitlist"})
    assert "You are on the list" in joined.text and WaitlistEntry.get().joined_at
    assert "You are off the list" in client.post("/waitlist/leave", data={"email": ADA}).text
    assert not WaitlistEntry.select().exists()


@pytest.mark.parametrize("path", [path.partition("?")[0] for path in PAGES])
def test_forms_of_other_sites_get_a_page_that_refuses(client, path):
    answer = client.post(path, data=QUESTION, headers={"Origin": "https://elsewhere.example"})
    assert (answer.status_code, answer.mimetype) == (403, "text/html")
    assert "another site" in answer.text


def test_the_address_of_who_is_signed_in_is_there_already(client):
    client.set_cookie(COOKIE, sessions.start(users.create(ADA)))
    assert f'value="{ADA}"' in client.get("/contact").text


def test_the_leave_page_keeps_its_token_from_other_sites(client):
    assert client.get("/waitlist/leave/confirm?token=x").headers["Referrer-Policy"] == "strict-origin"
