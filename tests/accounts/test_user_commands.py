"""`svc users`, `svc keys`, `svc login-link`: what an operator does with accounts."""

from urllib.parse import parse_qs, urlsplit

import pytest
from commands import Svc
from freezegun import freeze_time

from svc.accounts import device, ledger, mail_link, sessions, users
from svc.accounts.models import ApiKey, DeviceLogin, Entry, MailLink, Session, User
from svc.core import running, schema
from svc.core.errors import Refusal
from svc.core.settings import load
from svc.server.lock import held

ADA = "ada@example.org"


@pytest.fixture
def svc(tmp_path):
    svc = Svc(tmp_path)
    svc("users", "create", ADA, "--name", "Ada")
    return svc


def test_accounts_are_listed_by_address(svc):
    svc("users", "create", "aaron@example.org", "--plan", "pro")
    assert [(user["email"], user["plan"]) for user in svc("users", "list")] == [
        ("aaron@example.org", "pro"),
        (ADA, "free"),
    ]


def test_the_list_for_people_is_aligned(svc):
    head, line = svc.run("users", "list").stdout.splitlines()
    assert head.index("PLAN") == line.index("free") and line.endswith("Ada")


def test_a_name_that_could_move_the_cursor_is_refused(svc):
    assert "printable" in svc.refused("users", "create", "eve@example.org", "--name", "\x1b[2JEve\nroot")


def test_an_account_is_shown_as_the_api_shows_it(svc):
    shown = svc("users", "show", ADA.upper())
    assert (shown["email"], shown["plan"]) == (ADA, "free")
    assert shown["entitlement"]["minutesIncluded"] == shown["usage"]["minutesRemaining"] == 30
    assert "0 used in" in svc.run("users", "show", ADA).stdout


def test_a_new_key_stands_alone_on_standard_output(svc):
    done = svc.run("keys", "create", ADA)
    assert done.stdout.startswith("svc_live_") and done.stdout.count("\n") == 1
    assert "only now" in done.stderr


@pytest.mark.parametrize(
    "words",
    [("users", "show"), ("users", "delete"), ("keys", "list"), ("users", "grant", "--captions", "1")],
)
def test_an_unknown_account_is_named(svc, words):
    assert svc.refused(*words, "bob@example.org") == "There is no account for bob@example.org."


def test_granted_minutes_are_exact_and_add_up(svc):
    svc("users", "grant", ADA, "--minutes", "0.000001")
    assert svc("users", "grant", ADA, "--minutes", "12.5")["minutesTopup"] == 12.5
    assert ledger.total(users.owner_of(users.find(ADA)), ledger.TOPUP, ledger.MINUTES) == 12_500_001


def test_captions_can_be_granted(svc):
    svc("users", "grant", ADA, "--captions", "200")
    assert svc("users", "show", ADA)["entitlement"]["captionCredits"] == 200


@pytest.mark.parametrize(
    "amount",
    [
        (),
        ("--minutes", "1", "--captions", "1"),
        ("--minutes", "0"),
        ("--minutes", "-3"),
        ("--minutes", "nan"),
        ("--minutes", "inf"),
        ("--minutes", "1e400"),
        ("--minutes", "0.0000001"),
        ("--minutes", "ten"),
        ("--captions", "1.5"),
        ("--captions", "0"),
    ],
)
def test_a_grant_of_no_amount_is_a_usage_error(svc, amount):
    svc.refused("users", "grant", ADA, *amount, code=2)
    assert not Entry.select().exists()


def test_a_plan_lasts_to_the_end_of_its_last_day(svc):
    with freeze_time("2026-11-20") as time:
        until = svc("users", "set-plan", ADA, "pro", "--until", "2026-12-31")["planUntil"]
        time.move_to("2026-12-31 23:59:59")
        assert svc("users", "show", ADA)["plan"] == "pro"
        time.move_to("2027-01-01")
        assert svc("users", "show", ADA)["plan"] == "free"
    assert until == 1798761599999


def test_a_plan_without_an_end_replaces_one_with_an_end(svc):
    svc("users", "set-plan", ADA, "pro", "--until", "9999-12-31")
    assert svc("users", "set-plan", ADA, "lifetime")["planUntil"] is None


def test_a_day_that_is_over_is_refused(svc):
    assert svc.refused("users", "set-plan", ADA, "pro", "--until", "2020-01-01") == "2020-01-01 is over already."


@pytest.mark.parametrize("words", [("gold",), ("pro", "--until", "soon"), ("free", "--until", "9999-12-31")])
def test_a_plan_or_date_that_makes_no_sense_is_a_usage_error(svc, words):
    svc.refused("users", "set-plan", ADA, *words, code=2)


def test_keys_of_all_accounts_are_listed_without_their_secrets(svc):
    svc("users", "create", "bob@example.org")
    made = [svc("keys", "create", email) for email in (ADA, "bob@example.org")]
    listed = svc("keys", "list")
    assert {key["email"] for key in listed} == {ADA, "bob@example.org"}
    assert {key["id"] for key in listed} == {key["id"] for key in made} and not any("key" in key for key in listed)


def test_keys_of_one_account_are_the_apis_records(svc):
    svc("users", "create", "bob@example.org")
    svc("keys", "create", "bob@example.org")
    made = svc("keys", "create", ADA)
    (record,) = svc("keys", "list", ADA)
    assert record.pop("email") == ADA and record == {k: v for k, v in made.items() if k != "key"}
    schema.check("key-list", [record])


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\nb", "\x1b[2J", "laptop\n", "\u202egnp.exe"])
def test_a_key_name_that_the_api_would_refuse_is_refused(svc, name):
    assert "1 to 100 printable characters" in svc.refused("keys", "create", ADA, "--name", name)
    assert not ApiKey.select().exists()


def test_a_key_name_of_100_characters_is_taken(svc):
    assert svc("keys", "create", ADA, "--name", "ß" * 99 + "🔑")["name"] == "ß" * 99 + "🔑"


def test_a_revoked_key_is_not_listed_and_cannot_be_revoked_again(svc):
    key_id = svc("keys", "create", ADA)["id"]
    assert svc("keys", "revoke", key_id) == {"id": key_id, "ok": True}
    assert svc("keys", "list") == []
    assert svc.refused("keys", "revoke", key_id) == "No working key has this id."


def test_a_login_link_signs_in_once(svc):
    link = svc("login-link", ADA, "--callback", "/pricing")["url"]
    (token,) = parse_qs(urlsplit(link).query)["token"]
    user, callback = mail_link.use(token, "visitor")
    assert (user.email, callback) == (ADA, "/pricing")
    with pytest.raises(Refusal):
        mail_link.use(token, "visitor")


def test_a_login_link_for_people_is_only_the_link(svc):
    assert svc.run("login-link", ADA).stdout.startswith("http://127.0.0.1:8080/sign-in/confirm?token=")


def test_a_login_link_tells_that_no_server_runs(svc):
    assert "No server runs on this data now" in svc.run("login-link", ADA).stderr


def test_a_login_link_leads_to_the_server_that_runs(svc, tmp_path):
    with held(tmp_path / running.ADDRESS_FILE, text="http://127.0.0.1:4711"):
        made = svc.run("login-link", ADA)
    assert made.stdout.startswith("http://127.0.0.1:4711/sign-in/confirm?token=") and made.stderr == ""


def test_a_login_link_leads_to_the_site_root_that_is_set(svc, tmp_path, monkeypatch):
    monkeypatch.setenv("SVC_SITE_ROOT", "https://video.example.org")
    with held(tmp_path / running.ADDRESS_FILE, text="http://127.0.0.1:4711"):
        assert svc("login-link", ADA)["url"].startswith("https://video.example.org/")


def test_a_server_that_was_killed_does_not_run(svc, tmp_path):
    (tmp_path / running.ADDRESS_FILE).write_text("http://127.0.0.1:4711")
    assert svc("login-link", ADA)["url"].startswith("http://127.0.0.1:8080/")


@pytest.mark.parametrize("words", [("nobody",), (ADA, "--callback", "//evil.example")])
def test_a_login_link_for_no_address_or_to_another_site_is_refused(svc, words):
    svc.refused("login-link", *words)
    assert not MailLink.select().exists()


def test_a_deleted_account_leaves_nothing(svc, tmp_path):
    svc("keys", "create", ADA)
    svc("users", "grant", ADA, "--minutes", "5")
    svc("login-link", ADA)
    user, settings = users.find(ADA), load({"data_dir": str(tmp_path)})
    sessions.start(user)
    device.decide(device.waiting(device.begin(settings, "svc-cli", "v")["user_code"], "v"), user, allow=True)
    assert svc("users", "delete", ADA) == {"id": user.id, "email": ADA, "ok": True}
    for model in (User, ApiKey, Session, DeviceLogin, MailLink, Entry):
        assert not model.select().exists(), model


def test_a_malformed_setting_is_told_in_one_sentence(svc, monkeypatch):
    monkeypatch.setenv("SVC_PROT", "1")
    assert svc.refused("users", "list") == "Unknown setting SVC_PROT."
