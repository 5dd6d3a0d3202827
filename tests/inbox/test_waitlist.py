"""The waitlist without a mail server: joining and leaving happen at once."""

import pytest

from svc.accounts import users
from svc.inbox.models import WaitlistEntry
from svc.jobs.owners import delete_account

ADA = "ada@example.org"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.fixture
def join(client):
    return lambda email=ADA, interest="pro", **more: client.post(
        "/api/v1/waitlist", json={"email": email, "interest": interest, **more}
    )


@pytest.fixture
def leave(client):
    return lambda email=ADA, **more: client.post("/api/v1/waitlist/leave", json={"email": email, **more})


def waiting():
    return {(entry.email, entry.interest) for entry in WaitlistEntry.select() if entry.joined_at}


def test_an_address_joins(join):
    answer = join("Ada@Example.org", path="/pricing", ref="news-1")
    assert (answer.status_code, answer.json) == (200, {"ok": True, "confirm_by_email": False})
    entry = WaitlistEntry.get()
    assert (entry.email, entry.path, entry.ref) == (ADA, "/pricing", "news-1") and entry.joined_at


def test_joining_again_changes_nothing(join):
    first, again = join(ref="first"), join(ref="second")
    assert first.data == again.data
    assert [entry.ref for entry in WaitlistEntry.select()] == ["first"]


def test_an_address_waits_for_several_things(join):
    join(interest="pro")
    join(interest="mac")
    assert waiting() == {(ADA, "pro"), (ADA, "mac")}


def test_an_address_leaves_with_all_it_waits_for(join, leave):
    join(interest="pro")
    join(interest="mac")
    join("grace@example.org")
    assert (leave("ADA@example.org").status_code, waiting()) == (200, {("grace@example.org", "pro")})


def test_leaving_says_the_same_of_an_address_that_is_not_on_the_list(join, leave):
    join()
    assert leave().data == leave().data == leave("grace@example.org").data == b'{"ok":true}'


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "ada"),
        ("email", None),
        ("interest", "fame"),
        ("path", "x" * 201),
        ("ref", "x" * 41),
        ("ref", "News"),
        ("ref", "a b"),
        ("website", None),
        ("name", "Ada"),
    ],
)
def test_a_wrong_field_is_named(join, field, value):
    answer = join(**{field: value})
    assert (answer.status_code, answer.json["error"]["field"]) == (422, field)
    assert not waiting()


def test_a_wrong_field_is_named_when_leaving(leave):
    answers = [leave("ada"), leave(name="Ada")]
    assert [(answer.status_code, answer.json["error"]["field"]) for answer in answers] == [
        (422, "email"),
        (422, "name"),
    ]


@pytest.mark.parametrize("path", ["/api/v1/waitlist", "/api/v1/waitlist/leave"])
@pytest.mark.parametrize("header", [{"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_a_page_of_another_site_is_refused(client, path, header):
    answer = client.post(path, json={"email": ADA, "interest": "pro"}, headers=header)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "bad_origin")


def test_a_filled_decoy_changes_nothing(join, leave):
    join("grace@example.org")
    assert join(website="x").data == join("bob@example.org").data
    assert leave("grace@example.org", website="x").json == {"ok": True}
    assert waiting() == {("grace@example.org", "pro"), ("bob@example.org", "pro")}


def test_a_visitor_joins_and_leaves_ten_times_an_hour(join, leave):
    answers = [ask() for ask in [join, leave] * 5] + [join(), leave()]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 3600


@pytest.mark.parametrize("query", ["", "?token=", "?token=x", "?token=%00%ff"])
def test_a_link_that_is_not_good_confirms_nothing(client, query):
    answer = client.get("/api/v1/waitlist/confirm" + query)
    assert (answer.status_code, answer.json["error"]["field"]) == (422, "token")


def test_a_link_that_is_not_good_is_a_page_in_a_browser(client):
    answer = client.get("/api/v1/waitlist/confirm?token=x", headers={"Accept": BROWSER})
    assert (answer.status_code, answer.mimetype) == (422, "text/html")
    assert "This link does not work" in answer.text


def test_a_deleted_account_is_not_on_the_list(join, settings):
    join()
    delete_account(settings, users.create(ADA))
    assert not WaitlistEntry.select().exists()
