"""What time does to jobs, uploads and stored layers, with a clock that the test moves."""

from dataclasses import replace

import pytest
from freezegun import freeze_time

from app import create_app
from svc.accounts.caller import Caller
from svc.core import clock
from svc.engine.facts import Facts
from svc.jobs import create, finish
from svc.jobs.claim import claim_next
from svc.jobs.models import Event, Idempotency, Job, StoredLayer, Upload
from svc.jobs.results import result_path
from svc.jobs.stored import layer_path
from svc.jobs.uploads import upload_path
from svc.server.sweep import sweep

FACTS = Facts({"kind": "url", "provider": "site"}, {}, "site:1", 60.0, has_audio=True)
DAY = 24 * 3600


@pytest.fixture
def client(settings):
    return create_app(settings).test_client()


@pytest.fixture
def caller(settings):
    return Caller("anon:1", "anonymous", settings.limits.anonymous)


def queued_job(settings, caller, facts=FACTS):
    request = create.wanted({"url": "http://x/", "mode": "audio"}, caller)
    job, quoted = create.quoted_job(settings, caller, {"url": "http://x/", "mode": "audio"}, request, facts)
    create.save(settings, caller, job, quoted, None, ("key", {}))
    return job


def finished_job(settings, caller, facts=FACTS):
    queued_job(settings, caller, facts)
    job = claim_next()
    context = {
        "meta": {"durationSeconds": 60},
        "transcript": None,
        "synthesis": None,
        "tiers": [{"tier": "audio", "status": "ok"}],
        "usage": {"audioSeconds": 60, "usdEstimate": 0},
        "warnings": [],
    }
    result_path(settings, job.id).write_text("{}")
    done = {"type": "done", "runId": job.id, "t": clock.now_ms()}
    assert finish.succeed(settings, job, context, done)
    return job


def test_an_anonymous_job_is_gone_after_a_day(settings, client, caller):
    with freeze_time("2026-11-20") as time:
        job = finished_job(settings, caller)
        assert client.get(f"/api/v1/jobs/{job.id}").status_code == 200
        time.tick(DAY)
        answer = client.get(f"/api/v1/jobs/{job.id}")
    assert (answer.status_code, answer.json["error"]["code"]) == (410, "job_expired")


def test_the_sweeper_erases_an_expired_job_and_remembers_that_it_was(settings, caller):
    with freeze_time("2026-11-20") as time:
        job = finished_job(settings, caller)
        time.tick(DAY)
        sweep(settings)
    assert not result_path(settings, job.id).exists()
    assert not Event.select().exists() and Job.get_by_id(job.id).status == "succeeded"


def test_an_expired_job_is_forgotten_after_a_month(settings, caller):
    with freeze_time("2026-11-20") as time:
        finished_job(settings, caller)
        time.tick(32 * DAY)
        sweep(settings)
    assert not Job.select().exists()


def test_the_sweeper_leaves_what_is_not_expired(settings, caller):
    with freeze_time("2026-11-20") as time:
        job = finished_job(settings, caller)
        time.tick(DAY - 1)
        sweep(settings)
    assert result_path(settings, job.id).exists() and Event.select().exists()


def test_an_unused_upload_goes_when_it_expires_and_is_remembered_for_a_month(settings):
    with freeze_time("2026-11-20") as time:
        now = clock.now_ms()
        for name, job_id in (("upl_1", None), ("upl_2", "job_1")):
            upload_path(settings, name).write_bytes(b"x")
            Upload.create(id=name, owner="a", bytes=1, facts={}, job_id=job_id, created_at=now, expires_at=now)
        sweep(settings)
        assert [path.name for path in settings.folder("uploads").iterdir()] == ["upl_2"]
        assert Upload.select().count() == 2
        time.tick(30 * DAY)
        sweep(settings)
    assert [upload.id for upload in Upload.select()] == ["upl_2"]


def test_a_layer_that_nobody_used_for_a_month_goes(settings):
    with freeze_time("2026-11-20") as time:
        now = clock.now_ms()
        layer_path(settings, "k").write_text("{}")
        StoredLayer.create(key="k", content_id="c", layer="audio", bytes=2, created_at=now, used_at=now)
        time.tick(29 * DAY)
        sweep(settings)
        assert layer_path(settings, "k").exists()
        time.tick(2 * DAY)
        sweep(settings)
    assert not layer_path(settings, "k").exists() and not StoredLayer.select().exists()


def test_an_idempotency_key_is_remembered_for_a_day(settings, caller):
    with freeze_time("2026-11-20") as time:
        job = queued_job(settings, caller)
        body = {"url": "http://x/", "mode": "audio"}
        Idempotency.update(body_hash=create.idempotency.body_hash(body)).execute()
        time.tick(DAY - 1)
        assert create.create(settings, caller, body, "key")[0].id == job.id
        time.tick(2)
        assert create.idempotency.earlier_job(caller.owner, "key", body, 24) is None


def test_an_anonymous_day_ends_at_midnight_utc(settings, caller):
    with freeze_time("2026-11-20 23:59:00") as time:
        finished_job(settings, caller)
        assert caller.purses.available() == 9_000_000
        time.tick(60)
        assert caller.purses.available() == 10_000_000


def test_a_month_ends_at_midnight_utc(settings, caller):
    account = replace(caller, owner="user:1", limits=settings.limits.free)
    with freeze_time("2026-11-30 23:59:59") as time:
        finished_job(settings, account)
        assert account.purses.available() == 29_000_000
        time.tick(1)
        assert account.purses.available() == 30_000_000
