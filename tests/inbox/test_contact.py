"""`POST /v1/contact`."""

import pytest
from freezegun import freeze_time

from svc.inbox.models import ContactMessage

QUESTION = {"topic": "question", "email": "Ada@Example.org", "message": "Which languages\nare understood?"}
HOUR = 3600


@pytest.fixture
def write(client):
    def write(visitor="192.0.2.1", headers=None, **changes):
        where = {"REMOTE_ADDR": visitor}
        return client.post("/api/v1/contact", json=QUESTION | changes, headers=headers, environ_base=where)

    return write


def error(answer):
    return answer.status_code, answer.json["error"]["code"], answer.json["error"].get("field")


def test_a_message_is_stored_for_the_operator(write):
    assert (write().status_code, write().json) == (200, {"ok": True})
    stored = ContactMessage.get()
    assert (stored.topic, stored.email, stored.message) == ("question", "ada@example.org", QUESTION["message"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("topic", "praise"),
        ("topic", None),
        ("email", "ada"),
        ("email", "ada@nowhere"),
        ("email", "a" * 60 + "@" + "example." * 30 + "org"),
        ("email", "ada@example.org\r\nBcc: eve@example.org"),
        ("message", "too short"),
        ("message", " " * 20),
        ("message", "x" * 5001),
        ("message", ["long enough"]),
        ("website", 1),
        ("phone", "1"),
    ],
)
def test_a_wrong_field_is_named(write, field, value):
    assert error(write(**{field: value})) == (422, "invalid_request", field)
    assert not ContactMessage.select().exists()


def test_a_missing_field_is_named(client):
    assert error(client.post("/api/v1/contact", json={})) == (422, "invalid_request", "topic")


@pytest.mark.parametrize("message", ["x" * 10, "x" * 5000, "\U0001f600" * 5000])
def test_a_message_of_a_length_that_is_allowed_is_taken(write, message):
    assert write(message=message).status_code == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"text"', b'{"topic": NaN}', b"\xff"])
def test_a_body_that_is_no_object_is_refused_as_a_whole(client, body):
    answer = client.post("/api/v1/contact", data=body, content_type="application/json")
    assert error(answer) == (400, "invalid_request", None)


@pytest.mark.parametrize(
    "header",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_site_is_refused(write, header):
    assert error(write(headers=header)) == (403, "bad_origin", None)
    assert not ContactMessage.select().exists()


@pytest.mark.parametrize("header", [{"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin"}])
def test_a_page_of_this_site_may_write(write, header):
    assert write(headers=header).status_code == 200


def test_a_filled_decoy_is_answered_like_a_success_and_stored_nowhere(write):
    bot, person = write(website="https://spam.example"), write(website="")
    assert (bot.status_code, bot.data) == (person.status_code, person.data)
    assert ContactMessage.select().count() == 1


def test_a_visitor_writes_three_times_an_hour(write):
    with freeze_time() as time:
        assert [write().status_code for _ in range(4)] == [200, 200, 200, 429]
        refused = write()
        assert error(refused)[1] == "rate_limited" and 0 < int(refused.headers["Retry-After"]) <= HOUR
        assert write("192.0.2.2").status_code == 200
        time.tick(HOUR)
        assert write().status_code == 200


def test_a_message_that_is_refused_does_not_count(write):
    assert [write(topic="praise").status_code for _ in range(5)] == [422] * 5
    assert write().status_code == 200


def test_the_site_takes_sixty_messages_an_hour(write):
    answers = [write(f"192.0.2.{number}").status_code for number in range(61)]
    assert answers == [200] * 60 + [429]


def test_bots_in_the_decoy_leave_room_for_people(write):
    for number in range(61):
        write(f"192.0.2.{number}", website="x")
    assert write("198.51.100.1").status_code == 200
