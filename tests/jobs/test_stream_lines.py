"""What a stream sends, as a plain generator: no server, no worker."""

import time
from datetime import UTC, datetime

import made_jobs as made
import pytest
from freezegun import freeze_time

from svc.accounts import caller, keys, sessions, users
from svc.core import database
from svc.core.database import db
from svc.core.settings import load
from svc.jobs import cancel, events, stream, takedown, watch
from svc.jobs.access import is_still_readable

DAY = 24 * 3600
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
    return list(begun(job, after))


def begun(job, after=0, may_read=lambda: True):
    return stream.lines(job.id, after, watch.subscribe(job.id), 0.01, may_read)


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
    sent = begun(job, BEGUN)
    next(sent)
    assert next(sent) == stream.PING
    cancel.erase(settings, job)
    assert set(sent) <= {stream.PING}


def test_a_stream_ends_when_its_reader_may_not_read_any_more(settings):
    job = made.running(settings, made.anonymous(settings))
    asked = iter([True, True, False])
    assert list(begun(job, BEGUN, lambda: next(asked)))[1:] == [stream.PING] * 3


def test_a_reader_is_asked_for_also_while_events_come(settings):
    job = made.running(settings, made.anonymous(settings))
    sent = begun(job, may_read=lambda: False)
    assert [next(sent).count(b"event: ") for _ in range(2)] == [0, BEGUN]
    time.sleep(0.02)
    events.append(job.id, "partial")
    assert set(sent) <= {stream.PING}


@pytest.fixture
def user(settings):
    return users.create("grace@example.org")


@pytest.fixture
def by_key(settings, user):
    """A caller by key, and what revokes it."""
    key, _ = keys.create(user, "test", most=1)
    return caller.key_caller(key, settings), lambda: keys.revoke(key)


@pytest.fixture
def by_session(settings, user):
    """A caller by session, and what ends it."""
    token = sessions.start(user)
    return caller.session_caller(sessions.find(token), settings, "session"), lambda: sessions.end(token)


@pytest.mark.parametrize("how", ["by_key", "by_session"])
def test_a_credential_that_ended_reads_no_more(settings, how, request):
    who, end = request.getfixturevalue(how)
    job = made.running(settings, who)
    assert is_still_readable(job, who)
    end()
    assert not is_still_readable(job, who)


def test_an_expired_key_reads_no_more(settings, user):
    with freeze_time("2026-11-20") as time:
        key, _ = keys.create(user, "test", most=1, expires_in_days=1)
        who = caller.key_caller(key, settings)
        job = made.running(settings, who)
        assert is_still_readable(job, who)
        time.tick(DAY)
        assert not is_still_readable(job, who)


def test_a_deleted_account_reads_no_more(settings, user, by_key):
    job = made.running(settings, by_key[0])
    users.delete(user)
    assert not is_still_readable(job, by_key[0])


def test_what_was_taken_down_is_read_no_more(settings):
    who = made.anonymous(settings)
    job = made.running(settings, who)
    assert is_still_readable(job, who)
    takedown.add(settings, "http://x/")
    assert not is_still_readable(job, who)


def test_an_expired_job_is_read_no_more(settings):
    who = made.anonymous(settings)
    job = made.running(settings, who)
    with freeze_time(datetime.fromtimestamp(job.expires_at / 1000, UTC)):
        assert not is_still_readable(job, who)


def test_asking_again_is_one_query(settings, by_key):
    job, asked = made.running(settings, by_key[0]), []
    db.query_hooks.append(lambda event: asked.append(event.sql))
    is_still_readable(job, by_key[0])
    assert len(asked) == 1
