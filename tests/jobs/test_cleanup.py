"""`svc cleanup`: what has expired is counted, and deleted."""

import os

import made_jobs as made
import pytest
from commands import Svc
from freezegun import freeze_time

from svc.accounts import device, keys, mail_link, sessions, users
from svc.accounts.caller import account_caller
from svc.accounts.models import ApiKey, DeviceLogin, Entry, MailLink, Session
from svc.core import clock, mail
from svc.jobs.models import Event, Job, StoredLayer, Upload
from svc.jobs.results import result_path, work_folder
from svc.jobs.stored import layer_path
from svc.jobs.uploads import upload_path

HOUR, DAY = 3600, 24 * 3600


@pytest.fixture
def svc(settings):
    return Svc(settings.data_dir)


@pytest.fixture
def caller(settings):
    return made.anonymous(settings)


@pytest.fixture
def time():
    with freeze_time("2026-11-20") as time:
        yield time


def cleaned(svc, *words):
    """What was deleted, by kind: (count, bytes)."""
    return {kind: (sums["count"], sums["bytes"]) for kind, sums in svc("cleanup", *words)["kinds"].items()}


def test_a_fresh_service_has_nothing_to_delete(svc):
    assert svc("cleanup") == {"dry_run": False, "count": 0, "bytes": 0, "kinds": {}}
    assert svc.run("cleanup").stdout == "Nothing has expired.\n"


def test_an_expired_job_goes_with_its_result_and_events(settings, svc, caller, time):
    job = made.succeeded(settings, caller, made.uploaded(settings, caller), result="12345")
    time.tick(DAY)
    expected = {"results": (1, 5), "events": (3, 0), "uploads": (1, 10), "layers": (1, 4), "idempotency_keys": (1, 0)}
    assert cleaned(svc) == expected
    assert not result_path(settings, job.id).exists() and not Event.select().exists()


def test_a_dry_run_counts_the_same_and_deletes_nothing(settings, svc, caller, time):
    made.succeeded(settings, caller, made.uploaded(settings, caller))
    made.failed(settings, caller)
    time.tick(40 * DAY)
    counted = svc("cleanup", "--dry-run")
    assert counted["dry_run"] and Job.select().count() == 2 and upload_path(settings, Upload.get().id).exists()
    assert svc("cleanup")["kinds"] == counted["kinds"]
    assert svc("cleanup")["count"] == 0


def test_what_is_not_expired_stays(settings, svc, caller, time):
    made.succeeded(settings, caller)
    made.failed(settings, caller)
    time.tick(DAY - 1)
    assert cleaned(svc) == {}


def test_a_job_that_still_runs_keeps_everything(settings, svc, caller, time):
    job = made.running(settings, caller, made.uploaded(settings, caller))
    time.tick(40 * DAY)
    assert set(cleaned(svc)) == {"idempotency_keys"}
    assert work_folder(settings, job).exists() and Upload.get().job_id == job.id


def test_the_parts_of_a_failed_job_stay_until_it_expires(settings, svc, caller, time):
    job = made.failed(settings, caller)
    assert cleaned(svc) == {} and work_folder(settings, job).exists()
    time.tick(DAY)
    assert cleaned(svc)["work_folders"] == (1, 3)


def test_layers_of_uploaded_bytes_go_with_the_last_job_of_them(settings, svc, caller, time):
    account = account_caller(users.create("ada@example.org"), settings)
    for owner in (caller, account):
        made.succeeded(settings, owner, made.uploaded(settings, owner))
    time.tick(DAY)
    assert "layers" not in cleaned(svc)
    time.tick(29 * DAY)
    assert cleaned(svc)["layers"][0] == 2


def test_files_that_no_row_knows_go_after_a_day(settings, svc):
    for name in ("uploads/upl_1", "layers/k.json.half", "work/tmp1"):
        folder, file = name.split("/")
        (settings.folder(folder) / file).write_text("abc")
    assert cleaned(svc) == {}
    for name in ("uploads/upl_1", "layers/k.json.half", "work/tmp1"):
        os.utime(settings.data_dir / name, (0, 0))
    assert set(cleaned(svc)) == {"uploads", "layers", "work_folders"}


def test_ended_sign_ins_go(settings, svc, time):
    user = users.create("ada@example.org")
    sessions.start(user)
    mail_link.make(settings, user.email)
    device.begin(settings, "svc-cli", "visitor")
    time.tick(15 * 60)
    assert cleaned(svc) == {"mail_links": (1, 0)}
    time.tick(30 * DAY)
    assert cleaned(svc) == {"sessions": (1, 0), "device_logins": (1, 0)}
    assert not any(model.select().exists() for model in (Session, MailLink, DeviceLogin))


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_a_key_goes_a_month_after_its_end(svc, time, end):
    key, _ = keys.create(users.create("ada@example.org"), "k", 10, expires_in_days=1)
    if end == "revoked":
        time.tick(DAY)
        keys.revoke(key)
    time.tick(30 * DAY)
    assert cleaned(svc) == ({"api_keys": (1, 0)} if end == "revoked" else {})
    time.tick(DAY)
    svc("cleanup")
    assert not ApiKey.select().exists()


def test_mails_in_the_outbox_go_after_a_month(settings, svc):
    mail.send(settings, "ada@example.org", "Hello", "Hello.")
    (written,) = settings.folder("outbox").iterdir()
    size = written.stat().st_size
    month_ago = clock.now_ms() / 1000 - 30 * DAY
    os.utime(written, (month_ago + 60, month_ago + 60))
    assert cleaned(svc) == {}
    os.utime(written, (month_ago - 60, month_ago - 60))
    assert cleaned(svc) == {"mails": (1, size)} and not written.exists()


def test_what_a_deleted_account_left_behind_goes(settings, svc, time):
    account = account_caller(users.create("ada@example.org"), settings)
    job = made.succeeded(settings, account, made.uploaded(settings, account))
    account.user.delete_instance()
    assert set(cleaned(svc)) == {"results", "events", "uploads", "layers", "jobs", "idempotency_keys", "ledger_entries"}
    assert not any(model.select().exists() for model in (Job, Upload, StoredLayer, Entry))
    assert not layer_path(settings, job.id).exists()


def test_the_report_for_people_ends_with_the_sum(settings, svc, caller, time):
    made.succeeded(settings, caller, result="x" * 3000)
    time.tick(HOUR * 24)
    last = svc.run("cleanup", "--dry-run").stdout.splitlines()[-1]
    assert last.split() == ["would", "be", "deleted", "5", "2.9", "KB"]
