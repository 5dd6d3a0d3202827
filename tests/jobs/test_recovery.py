"""What happens to a job and its files when whoever worked on it stopped in the middle."""

import os
import subprocess
import threading

import pytest

from svc.accounts.caller import Caller
from svc.core import clock
from svc.core.errors import EngineError
from svc.core.ids import make_id
from svc.core.limits import ServiceLimits
from svc.engine.facts import Facts
from svc.engine.process import EngineProcess
from svc.engine.request import Config, Request
from svc.jobs import cancel, create, run, uploads
from svc.jobs.claim import claim_next, requeue
from svc.jobs.events import Thinning
from svc.jobs.models import Job, Upload
from svc.server import worker
from svc.server.sweep import sweep

FACTS = Facts({"provider": "local"}, {}, "local:1", 60.0, has_audio=True)
MONTH_AND_MORE = 40 * 24 * 3600


@pytest.fixture
def job(settings):
    """A queued job of an upload."""
    now, upload_id = clock.now_ms(), make_id("upl")
    caller = Caller(f"anon:{upload_id}", "anonymous", settings.limits.anonymous)
    uploads.upload_path(settings, upload_id).write_bytes(b"sound")
    Upload.create(
        id=upload_id, owner=caller.owner, bytes=5, facts=FACTS.to_json(), created_at=now, expires_at=now + 3_600_000
    )
    return create.create(settings, caller, {"upload_id": upload_id})[0]


def test_an_engine_that_dies_before_it_reads_its_task_is_an_error_like_any_other(monkeypatch):
    def start_and_die(*command, **options):
        child = popen(*command, **options)
        child.kill()
        child.wait()
        return child

    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", start_and_die)
    with (
        pytest.raises(EngineError, match="ended unexpectedly"),
        EngineProcess("run", Request("url", "http://x/"), Config(models_dir="", work_dir="")) as process,
    ):
        list(process.events())


def test_a_job_whose_thread_broke_is_taken_back(settings, job, monkeypatch):
    def broken(*_):
        raise OSError("not even the end of the job could be written")

    monkeypatch.setattr(worker, "run_job", broken)
    working = worker.Worker(settings)
    with pytest.raises(OSError, match="not even the end"):
        working.look_for_work()
    assert Job.get_by_id(job.id).status == "running"
    working.release_lost(settings)
    assert Job.get_by_id(job.id).status == "queued"


def test_a_job_in_hand_is_not_taken_back(settings, job):
    working = worker.Worker(settings)
    assert working.take().id == job.id
    working.release_lost(settings)
    assert Job.get_by_id(job.id).status == "running"


@pytest.mark.parametrize("attempts", [1, 3])
def test_a_job_that_its_caller_canceled_is_not_put_back(job, attempts):
    running = claim_next()
    cancel.request(job.id)
    requeue(running, "The service is restarting.", attempts)
    assert Job.get_by_id(job.id).status == "canceled"


def test_the_progress_of_a_second_attempt_never_falls(settings, job):
    for share in (0.5, 0.1):
        attempt = run.JobRun(settings, claim_next(), threading.Event())
        attempt.take({"type": "progress", "stage": "transcribe", "progress": share, "t": 0})
        assert Job.get_by_id(job.id).progress == 0.5
        requeue(attempt.job, "The service is restarting.", 3)


def test_a_job_keeps_no_more_events_than_allowed_however_often_it_is_interrupted(settings, job):
    limits = ServiceLimits(events_per_job=20)
    for _ in range(limits.job_attempts):
        attempt = run.JobRun(settings, claim_next(), threading.Event())
        attempt.thinning = Thinning(limits, attempt.job.events)
        for number in range(30):
            attempt.take({"type": "warning", "t": number})
        requeue(attempt.job, "The service is restarting.", limits.job_attempts)
    ended = Job.get_by_id(job.id)
    assert (ended.status, ended.events) == ("failed", 20)


def test_the_sweeper_removes_the_upload_of_a_success_that_was_cut_short(settings, job):
    Job.update(status="succeeded").where(Job.id == job.id).execute()
    sweep(settings)
    assert not uploads.upload_path(settings, job.upload_id).exists()


def test_the_sweeper_removes_an_old_file_that_never_became_an_upload(settings, job):
    stray, young = uploads.upload_path(settings, make_id("upl")), uploads.upload_path(settings, make_id("upl"))
    for path in (stray, young):
        path.write_bytes(b"half")
    old = clock.now_ms() / 1000 - MONTH_AND_MORE
    os.utime(stray, (old, old))
    os.utime(uploads.upload_path(settings, job.upload_id), (old, old))
    sweep(settings)
    left = {path.name for path in settings.folder("uploads").iterdir()}
    assert left == {young.name, job.upload_id}


def test_an_upload_that_was_bound_meanwhile_is_not_removed(settings, job):
    seen = Upload.get_by_id(job.upload_id)
    seen.job_id = None
    uploads.remove(settings, seen)
    assert uploads.upload_path(settings, job.upload_id).exists() and Upload.get_by_id(job.upload_id).job_id == job.id
