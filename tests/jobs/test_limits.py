"""The limits of one caller, with the contract's own numbers where the test does not say otherwise.

No worker runs, so that what waits goes on waiting; every test is a caller of its own.
"""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from recordings import path as recording
from refused import refused
from service import Service

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def limited(video_site, tmp_path_factory):
    data_dir = tmp_path_factory.mktemp("limited")
    data_dir.joinpath("svc.toml").write_text("[limits.anonymous]\ncaption_jobs_per_day = 1\n")
    environ = {
        "SVC_ALLOW_HOSTS": video_site.allow,
        "SVC_EXTRACTOR_PLUGINS": "true",
        "SVC_TRUSTED_PROXIES": "127.0.0.1",
        "SVC_WORKERS": "0",
    }
    with Service(data_dir, video_site.plugin_path, **environ) as running:
        yield running


def eventually(holds, seconds=20):
    """Whether it holds before so many seconds have gone by."""
    end = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def anonymous(_):
    return {"X-Forwarded-For": f"203.0.113.{next(numbers)}"}


def account(service):
    email = f"user{next(numbers)}@example.org"
    service.command("users", "create", email)
    return {"X-API-Key": service.command("keys", "create", email)["key"]}


@pytest.fixture
def someone(limited):
    return anonymous(limited)


def ask(service, who, **body):
    return service.post("/v1/context", json=body, headers=who)


def upload(service, who, name="jfk.mp3"):
    return service.upload(recording(name), name, **who)


def form(service, who, **fields):
    files = {"file": ("jfk.mp3", recording("jfk.mp3").read_bytes())}
    return service.post("/v1/transcribe", files=files, data=fields, headers=who)


def without_work(service, who):
    """A request that counts and makes nothing."""
    refused(ask(service, who, upload_id="upl_none"), 404, "upload_not_found")


@pytest.mark.parametrize(("caller", "most"), [(anonymous, 6), (account, 30)])
def test_requests_for_work_are_counted_by_the_minute(limited, caller, most):
    who = caller(limited)
    for _ in range(most):
        without_work(limited, who)
    for answer in (ask(limited, who, upload_id="upl_none"), upload(limited, who), form(limited, who)):
        refused(answer, 429, "rate_limited")
        assert int(answer.headers["Retry-After"]) <= 60


def test_a_form_counts_once(limited, someone):
    assert form(limited, someone).status_code == 202
    for _ in range(5):
        without_work(limited, someone)
    refused(form(limited, someone), 429, "rate_limited")


@pytest.mark.parametrize(("caller", "most"), [(anonymous, 2), (account, 5)])
def test_open_jobs_are_counted(limited, video_site, caller, most):
    who, body = caller(limited), {"url": video_site.url("/media/jfk.mp3"), "mode": "audio"}
    for _ in range(most):
        assert ask(limited, who, **body).status_code == 202
    error = refused(ask(limited, who, **body), 429, "too_many_in_flight")
    assert error["hint"] == "Wait for one to end."


def test_a_form_that_gets_no_job_names_its_upload(limited, video_site, someone):
    for _ in range(2):
        ask(limited, someone, url=video_site.url("/media/jfk.mp3"), mode="audio")
    error = refused(form(limited, someone), 429, "too_many_in_flight")
    assert error["upload_id"].startswith("upl_")


def test_the_minutes_of_a_day_are_counted_without_an_account(limited, video_site, someone):
    link = video_site.video("six-minutes", duration=360)
    assert ask(limited, someone, url=link, mode="audio").status_code == 202
    error = refused(ask(limited, someone, url=link, mode="audio"), 429, "anonymous_limit")
    assert (error["minutesNeeded"], error["minutesRemaining"]) == (6, 4)
    assert "Sign in" in error["hint"]


def test_the_caption_jobs_of_a_day_are_counted_without_an_account(limited, video_site, someone):
    body = {"url": video_site.url("/watch/manual"), "mode": "captions"}
    assert ask(limited, someone, **body).status_code == 202
    assert "Sign in" in refused(ask(limited, someone, **body), 429, "anonymous_limit")["hint"]


def test_the_minutes_of_an_account_are_counted(limited, video_site):
    who, link = account(limited), video_site.video("twenty-minutes", duration=1200)
    assert ask(limited, who, url=link, mode="audio").status_code == 202
    error = refused(ask(limited, who, url=link, mode="audio"), 402, "quota_exceeded")
    assert (error["minutesNeeded"], error["minutesRemaining"]) == (20, 10) and error["hint"]


@pytest.mark.parametrize(("caller", "seconds"), [(anonymous, 900), (account, 7200)])
def test_a_video_longer_than_the_plan_allows_is_refused(limited, video_site, caller, seconds):
    link = video_site.video(f"longer-than-{seconds}", duration=seconds + 1)
    error = refused(ask(limited, caller(limited), url=link, mode="captions"), 413, "video_too_long")
    assert error["engineCode"] == "SOURCE_TOO_LONG" and error["hint"]


def test_waiting_uploads_are_counted(limited, someone):
    for _ in range(3):
        assert upload(limited, someone).status_code == 201
    assert refused(upload(limited, someone), 429, "too_many_uploads")["hint"]


def test_an_upload_of_a_waiting_job_is_in_use(limited, someone):
    upload_id = upload(limited, someone).json()["upload_id"]
    assert ask(limited, someone, upload_id=upload_id).status_code == 202
    refused(ask(limited, someone, upload_id=upload_id), 409, "upload_in_use")


def test_another_callers_upload_is_not_found(limited, someone):
    upload_id = upload(limited, someone).json()["upload_id"]
    for stranger in (anonymous(limited), account(limited)):
        refused(ask(limited, stranger, upload_id=upload_id), 404, "upload_not_found")


def test_one_upload_is_taken_in_at_a_time(limited, someone):
    with ThreadPoolExecutor(4) as together:
        answers = list(together.map(lambda _: upload(limited, someone), range(4)))
    late = [answer for answer in answers if answer.status_code != 201]
    assert 0 < len(late) < 4
    for answer in late:
        assert refused(answer, 429, "too_many_in_flight")["hint"] == "Wait for it to end."


@pytest.fixture
def streams(limited, video_site, someone):
    """Opens event streams of one job that waits; they close when the test ends."""
    job_id = ask(limited, someone, url=video_site.url("/media/jfk.mp3"), mode="audio").json()["job_id"]
    with ExitStack() as opened:

        def open_stream(who=someone):
            request = limited.http.stream("GET", f"/api/v1/jobs/{job_id}/events", headers=who)
            return opened.enter_context(request)

        yield open_stream


def test_eight_streams_may_be_open(streams):
    for _ in range(8):
        assert streams().status_code == 200
    ninth = streams()
    ninth.read()
    refused(ninth, 429, "too_many_streams")


def test_another_caller_has_streams_of_its_own(limited, streams):
    for _ in range(8):
        streams()
    assert streams(anonymous(limited)).status_code == 200


def test_a_stream_gives_its_place_back_when_its_client_goes(limited, streams):
    first, *_ = [streams() for _ in range(8)]
    first.close()
    assert eventually(lambda: streams().status_code == 200)
