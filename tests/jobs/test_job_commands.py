"""`svc jobs`, and the deletion of accounts with all that they own."""

import threading

import made_jobs as made
import pytest
from commands import Svc

from svc.accounts import users
from svc.accounts.caller import account_caller
from svc.accounts.models import Entry, Hold
from svc.core import database
from svc.core.errors import EngineError
from svc.core.settings import load
from svc.jobs import claim, finish, owners
from svc.jobs.models import Event, Idempotency, Job, StoredLayer, Upload
from svc.jobs.results import result_path, work_folder
from svc.jobs.stored import layer_path
from svc.jobs.uploads import upload_path


@pytest.fixture
def settings(tmp_path):
    (tmp_path / "svc.toml").write_text("[limits.service]\ncancel_wait_seconds = 3\n[limits.free]\nrunning_jobs = 3")
    settings = load({"data_dir": str(tmp_path)}, {})
    database.connect(settings)
    database.migrate(settings)
    yield settings
    database.release()


@pytest.fixture
def svc(settings):
    return Svc(settings.data_dir)


@pytest.fixture
def caller(settings):
    return made.anonymous(settings)


@pytest.fixture
def ada(settings):
    return account_caller(users.create("ada@example.org"), settings)


def worker_ends(job):
    """A worker that stops the job as soon as it is asked to."""

    def look():
        while not Job.get_by_id(job.id).cancel_requested:
            threading.Event().wait(0.02)
        finish.fail(job, EngineError("CANCELLED", stage="transcribe"))
        database.release()

    threading.Thread(target=look).start()


def test_jobs_are_listed_from_the_newest_with_their_owners(settings, svc, caller, ada):
    first, second = made.failed(settings, caller), made.queued(settings, ada)
    Job.update(created_at=Job.created_at + 1).where(Job.id == second.id).execute()
    listed = svc("jobs", "list")
    assert [(job["job_id"], job["owner"]) for job in listed] == [
        (second.id, "ada@example.org"),
        (first.id, "anonymous"),
    ]
    assert listed[1]["error_code"] == "NETWORK"


def test_the_list_can_be_narrowed(settings, svc, caller, ada):
    failed = made.failed(settings, caller)
    made.queued(settings, ada)
    assert [job["job_id"] for job in svc("jobs", "list", "--status", "failed")] == [failed.id]
    assert len(svc("jobs", "list", "--limit", "1")) == 1


def test_a_job_is_shown_with_its_result_and_owner(settings, svc, ada):
    job = made.succeeded(settings, ada)
    shown = svc("jobs", "show", job.id)
    assert (shown["job_id"], shown["result"], shown["owner"]) == (job.id, {"id": "x"}, "ada@example.org")
    assert shown["result_url"] == f"/api/v1/jobs/{job.id}"


def test_a_failed_job_is_shown_with_its_reason(settings, svc, caller):
    assert "NETWORK: The connection failed." in svc.run("jobs", "show", made.failed(settings, caller).id).stdout


@pytest.mark.parametrize("word", ["show", "cancel", "requeue"])
def test_an_unknown_job_is_named(svc, word):
    assert svc.refused("jobs", word, "job_1") == "There is no job job_1."


def test_a_waiting_job_is_canceled_at_once(settings, svc, caller):
    job = made.queued(settings, caller)
    canceled = svc("jobs", "cancel", job.id)
    assert (canceled["status"], canceled["error"]["code"]) == ("canceled", "CANCELLED")
    assert not Hold.select().exists()


def test_a_running_job_is_canceled_by_its_worker(settings, svc, caller):
    job = made.running(settings, caller)
    worker_ends(job)
    assert svc("jobs", "cancel", job.id)["status"] == "canceled"


def test_an_ended_job_cannot_be_canceled(settings, svc, caller):
    job = made.failed(settings, caller)
    assert svc.refused("jobs", "cancel", job.id) == "This job has ended already: it is failed."


def test_a_failed_job_is_queued_again_and_holds_its_minutes(settings, svc, ada):
    job = made.failed(settings, ada)
    queued = svc("jobs", "requeue", job.id)
    assert (queued["status"], queued["error"], queued["attempt"]) == ("queued", None, 0)
    assert Hold.get().amount == 1_000_000
    assert claim.claim_next().id == job.id


def test_the_events_of_a_requeued_job_have_no_gap_and_no_end_in_the_middle(settings, svc, ada):
    job = made.failed(settings, ada)
    svc("jobs", "requeue", job.id)
    claim.claim_next()
    assert [(event.seq, event.type) for event in Event.select().order_by(Event.seq)] == [
        (1, "queued"),
        (2, "started"),
        (3, "requeued"),
        (4, "started"),
    ]


def test_a_requeued_job_has_its_upload_again(settings, svc, ada):
    job = made.failed(settings, ada, made.uploaded(settings, ada))
    svc("jobs", "requeue", job.id)
    assert Upload.get().job_id == job.id


def test_a_job_whose_upload_is_gone_is_not_queued_again(settings, svc, ada):
    job = made.failed(settings, ada, made.uploaded(settings, ada))
    Upload.delete().execute()
    assert svc.refused("jobs", "requeue", job.id) == "There is no such upload."
    assert Job.get().status == "failed" and not Hold.select().exists()


def test_a_job_that_its_owner_cannot_pay_is_not_queued_again(settings, svc, ada):
    job = made.failed(settings, ada)
    ada.purses.charge(29_500_000, "used")
    assert svc.refused("jobs", "requeue", job.id) == "This needs 1 minutes and 0.5 are left."
    assert Job.get().status == "failed"


def test_a_job_that_succeeded_is_not_queued_again(settings, svc, ada):
    job = made.succeeded(settings, ada)
    assert svc.refused("jobs", "requeue", job.id).endswith("this one is succeeded.")


def test_content_that_was_taken_down_is_not_queued_again(settings, svc, ada):
    job = made.failed(settings, ada)
    svc("takedown", "add", "http://x/")
    assert "takedown" in svc.refused("jobs", "requeue", job.id)


def test_a_job_of_a_deleted_account_is_not_queued_again(settings, svc, ada):
    job = made.failed(settings, ada)
    ada.user.delete_instance()
    assert svc.refused("jobs", "requeue", job.id) == "The account that this job belonged to is gone."


def test_a_deleted_account_takes_everything_it_owned_along(settings, svc, ada):
    done = made.succeeded(settings, ada, made.uploaded(settings, ada))
    failed = made.failed(settings, ada)
    waiting, unused = made.queued(settings, ada), made.uploaded(settings, ada)
    svc("users", "delete", "ada@example.org")
    for model in (Job, Event, Upload, Idempotency, Hold, Entry):
        assert not model.select().exists(), model
    files = (result_path(settings, done.id), work_folder(settings, failed), upload_path(settings, unused.id))
    assert not any(path.exists() for path in files)
    assert waiting.content_id == "site:1" and not layer_path(settings, done.id).exists()


def test_a_running_job_of_a_deleted_account_ends_through_its_worker(settings, svc, ada):
    job = made.running(settings, ada)
    worker_ends(job)
    svc("users", "delete", "ada@example.org")
    assert not Job.select().exists() and not work_folder(settings, job).exists()


def test_a_job_that_is_still_winding_down_is_told_of(settings, svc, ada):
    made.running(settings, ada)
    assert "still winding down" in svc.run("users", "delete", "ada@example.org").stdout
    assert Job.get().cancel_requested


def test_the_same_upload_of_another_keeps_its_layers(settings, svc, ada, caller):
    made.succeeded(settings, ada, made.uploaded(settings, ada))
    other = made.succeeded(settings, caller, made.uploaded(settings, caller))
    svc("users", "delete", "ada@example.org")
    assert StoredLayer.select().count() == 2 and layer_path(settings, other.id).exists()


def test_layers_of_links_stay(settings, ada):
    job = made.succeeded(settings, ada)
    assert owners.delete_account(settings, ada.user) and layer_path(settings, job.id).exists()


def test_the_same_work_of_another_keeps_its_parts(settings, ada, caller):
    made.failed(settings, ada)
    other = made.failed(settings, caller)
    owners.delete_account(settings, ada.user)
    assert [job.id for job in Job.select()] == [other.id] and work_folder(settings, other).exists()


def test_other_accounts_stay_as_they_are(settings, svc, ada):
    bob = account_caller(users.create("bob@example.org"), settings)
    made.succeeded(settings, bob)
    svc("users", "delete", "ada@example.org")
    assert [job["owner"] for job in svc("jobs", "list")] == ["bob@example.org"] and Entry.select().exists()
