"""What a stream sends, as a plain generator: no server, no worker."""

import made_jobs as made
import pytest

from svc.core import database
from svc.core.settings import load
from svc.jobs import cancel, events, stream, watch

BEGUN = 2  # events of a job that has begun: queued, started


@pytest.fixture
def settings(tmp_path):
    settings = load({"data_dir": str(tmp_path)}, {})
    database.connect(settings)
    database.migrate(settings)
    watch.connect(settings)
    yield settings
    watch.close()
    database.release()


def lines(job, after=0):
    return list(stream.lines(job.id, after, watch.subscribe(job.id), ping_seconds=0.01))


def test_a_job_that_ends_between_two_looks_still_tells_its_end(settings, monkeypatch):
    job = made.running(settings, made.anonymous(settings))
    look = stream.has_ended

    def ends_just_now(job_id):
        events.append(job_id, "done")
        monkeypatch.setattr(stream, "has_ended", look)
        return True

    monkeypatch.setattr(stream, "has_ended", ends_just_now)
    assert b"event: done" in lines(job, after=BEGUN)[-1]


def test_a_long_replay_comes_whole(settings, monkeypatch):
    job = made.succeeded(settings, made.anonymous(settings))
    monkeypatch.setattr(events, "BATCH", 2)
    monkeypatch.setattr(events.after, "__defaults__", (2,))
    assert [line.count(b"event: ") for line in lines(job)] == [0, 2, 1]


def test_a_stream_ends_when_its_job_is_erased(settings):
    job = made.running(settings, made.anonymous(settings))
    sent = stream.lines(job.id, BEGUN, watch.subscribe(job.id), ping_seconds=0.01)
    next(sent)
    assert next(sent) == stream.PING
    cancel.erase(settings, job)
    assert set(sent) <= {stream.PING}
