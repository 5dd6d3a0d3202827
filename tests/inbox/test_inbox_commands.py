"""`svc contact` and `svc waitlist`."""

import csv
import io

import pytest

from svc.inbox import contact, waitlist
from svc.inbox.models import ContactMessage, WaitlistEntry

ADA = "ada@example.org"


@pytest.fixture
def write(svc, settings):
    def write(message="Is this\nthe right place?", topic="question"):
        contact.visits.hits.clear()
        contact.receive(settings, {"topic": topic, "email": ADA, "message": message}, "visitor")
        return ContactMessage.select().order_by(ContactMessage.created_at.desc()).get().id

    return write


@pytest.fixture
def join(svc, settings):
    def join(email=ADA, interest="pro", **more):
        waitlist.visits.hits.clear()
        waitlist.join(settings, {"email": email, "interest": interest, **more}, "visitor")

    return join


def test_messages_that_are_not_done_are_listed_newest_first(svc, write):
    done, old, new = (write() for _ in range(3))
    svc("contact", "done", done)
    ContactMessage.update(created_at=1).where(ContactMessage.id == old).execute()
    assert [message["id"] for message in svc("contact", "list")] == [new, old]
    assert {message["id"] for message in svc("contact", "list", "--all")} == {done, old, new}


def test_messages_of_one_topic_are_listed(svc, write):
    write(), write(topic="abuse")
    assert [message["topic"] for message in svc("contact", "list", "--topic", "abuse")] == ["abuse"]
    svc.refused("contact", "list", "--topic", "praise", code=2)


def test_the_list_for_people_is_a_line_a_message(svc, write):
    assert svc.run("contact", "list").stdout == "There are no messages.\n"
    write("line one\nline two " + "x" * 100)
    head, line = svc.run("contact", "list").stdout.splitlines()
    assert head.index("MESSAGE") == line.index("line one line two") and line.endswith("…")


def test_a_message_is_shown_in_full_and_moves_no_cursor(svc, write):
    message_id = write("first \x1b[2J line\nsecond line")
    shown = svc.run("contact", "show", message_id).stdout
    assert shown.endswith("\n\nfirst  [2J line\nsecond line\n")
    assert svc("contact", "show", message_id)["message"] == "first \x1b[2J line\nsecond line"


def test_a_message_is_done_once(svc, write):
    message_id = write()
    assert svc("contact", "done", message_id)["done_at"] > 0
    assert "is done already" in svc.refused("contact", "done", message_id)


@pytest.mark.parametrize("word", ["show", "done"])
def test_an_unknown_message_is_named(svc, word):
    assert svc.refused("contact", word, "msg_nowhere") == "There is no message msg_nowhere."


def test_the_waitlist_is_listed_oldest_first_with_who_is_not_confirmed(svc, join):
    join(ref="news-1")
    join("bob@example.org", "mac")
    WaitlistEntry.update(joined_at=None).where(WaitlistEntry.interest == "mac").execute()
    first, second = svc("waitlist", "list")
    assert (first["email"], first["status"], first["ref"]) == (ADA, "joined", "news-1")
    assert (second["email"], second["status"], second["joined_at"]) == ("bob@example.org", "unconfirmed", None)
    assert svc("waitlist", "list", "--interest", "mac") == [second]


def test_an_empty_waitlist_says_so(svc):
    assert svc.run("waitlist", "list").stdout == "Nobody is on the waitlist.\n"
    assert svc.run("waitlist", "export").stdout == "email,interest,status,created_at,joined_at,path,ref\n"


def test_only_who_is_on_the_list_is_exported(svc, join):
    join(), join("bob@example.org")
    WaitlistEntry.update(joined_at=None).where(WaitlistEntry.email == ADA).execute()
    assert [entry["email"] for entry in svc("waitlist", "export")] == ["bob@example.org"]
    assert len(svc("waitlist", "export", "--all")) == 2


def test_the_export_is_csv_that_no_spreadsheet_runs(svc, join):
    join("=1+1@example.org", path='=HYPERLINK("https://evil.example")', ref="-1")
    join("ada@example.org", path="\t=1, \n@x", ref="ok")
    wicked, tab = csv.DictReader(io.StringIO(svc.run("waitlist", "export").stdout))
    assert (wicked["email"], wicked["ref"]) == ("'=1+1@example.org", "'-1")
    assert wicked["path"] == '\'=HYPERLINK("https://evil.example")'
    assert (tab["email"], tab["path"], tab["ref"]) == (ADA, "'\t=1, \n@x", "ok")
    assert tab["joined_at"].endswith("Z")


def test_the_export_goes_to_a_file(svc, join, tmp_path):
    join()
    assert svc("waitlist", "export", "--out", str(tmp_path / "list.csv"))["count"] == 1
    assert (tmp_path / "list.csv").read_text().splitlines()[1].startswith(ADA)


def test_a_file_that_cannot_be_written_is_named(svc, tmp_path):
    assert "cannot be written" in svc.refused("waitlist", "export", "--out", str(tmp_path / "nowhere" / "list.csv"))
