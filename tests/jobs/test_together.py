"""What many callers do in the same moment happens once, is paid for by each, and stays within the limits."""

import shutil
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from recordings import path as recording
from service import Service
from video_site.captions import FILES
from video_site.server import Answer

LONGEST_WAIT = 60  # seconds
CAPTIONS = FILES["/captions/manual.en.vtt"]

numbers = count()


@pytest.fixture(scope="module")
def start(video_site, tmp_path_factory):
    """Starts services with so many workers and what `svc.toml` says; they end with the module."""
    started = []

    def start(workers, toml):
        data_dir = tmp_path_factory.mktemp("together")
        data_dir.joinpath("svc.toml").write_text(toml)
        environ = {"SVC_ALLOW_HOSTS": video_site.allow, "SVC_EXTRACTOR_PLUGINS": "true", "SVC_WORKERS": str(workers)}
        started.append(Service(data_dir, video_site.plugin_path, **environ))
        started[-1].start()
        return started[-1]

    yield start
    for service in started:
        service.stop()


@pytest.fixture(scope="module")
def busy(start):
    """A service at work."""
    return start(3, "[limits.free]\nrequests_per_minute = 1000\n")


@pytest.fixture(scope="module")
def idle(start):
    """A service without workers and with a short queue: what waits goes on waiting."""
    return start(0, "[limits.service]\nwaiting_jobs = 8\n")


def account(service):
    """The headers of a new account."""
    email = f"user{next(numbers)}@example.org"
    service.command("users", "create", email)
    return {"X-API-Key": service.command("keys", "create", email)["key"]}


def at_once(requests):
    """The answers to requests that are sent in the same moment."""
    with ThreadPoolExecutor(len(requests)) as pool:
        return [future.result() for future in [pool.submit(request) for request in requests]]


def asking(service, who, **body):
    return lambda: service.post("/v1/context", json=body, headers=who)


def codes(answers):
    return Counter(answer.json()["error"]["code"] if answer.is_error else "accepted" for answer in answers)


def captioned(site, answer=None, **info):
    """A new video; `answer` is what the site says when it is asked for the captions."""
    name = f"together{next(numbers)}"
    site.answers[f"/captions/{name}.vtt"] = answer or Answer(CAPTIONS, "text/vtt")
    return site.video(name, subtitles={"en": [{"url": f"/captions/{name}.vtt", "ext": "vtt"}]}, **info)


def test_one_key_makes_one_job(busy, video_site):
    who = account(busy)
    ask = asking(busy, {**who, "Idempotency-Key": "one"}, url=captioned(video_site), mode="captions")
    answers = at_once([ask] * 50)
    assert {(answer.status_code, answer.json()["job_id"]) for answer in answers} == {(202, answers[0].json()["job_id"])}
    assert Counter(answer.json()["idempotent_replay"] for answer in answers) == {True: 49, False: 1}
    assert len(busy.get("/v1/jobs", headers=who).json()["jobs"]) == 1


def test_an_upload_belongs_to_one_job(idle):
    who = account(idle)
    upload_id = idle.upload(recording("austen_0880.wav"), **who).json()["upload_id"]
    answers = at_once([asking(idle, who, upload_id=upload_id, mode="audio")] * 10)
    assert codes(answers) == {"accepted": 1, "upload_in_use": 9}
    idle.delete(f"/v1/jobs/{next(a for a in answers if a.is_success).json()['job_id']}", headers=who)


def test_jobs_of_one_link_share_one_run_and_are_both_paid_for(busy, video_site):
    bodies = {}
    for name in ("alone", "shared"):
        shutil.copyfile(recording("austen_0880.wav"), video_site.media / f"{name}.wav")
        bodies[name] = {"url": video_site.url(f"/media/{name}.wav"), "mode": "audio", "options": {"diarize": False}}
    busy.run(account(busy), **bodies["alone"])
    both = [account(busy), account(busy)]
    jobs = [answer.json()["job_id"] for answer in at_once([asking(busy, who, **bodies["shared"]) for who in both])]
    ends = [busy.finished(job_id, who) for job_id, who in zip(jobs, both, strict=True)]
    assert [(end["status"], end["minutes_charged"]) for end in ends] == [("succeeded", 0.05)] * 2
    assert ends[0]["result"]["transcript"] == ends[1]["result"]["transcript"]
    assert video_site.hits["/media/shared.wav"] == video_site.hits["/media/alone.wav"]
    for job_id, who in zip(jobs, both, strict=True):
        kinds = [event["event"] for event in busy.events(job_id, headers=who)]
        assert (kinds[0], kinds[-1], kinds.count("done")) == ("queued", "done", 1)


def test_an_owner_runs_no_more_than_its_share_and_holds_nobody_back(busy, video_site):
    gate = threading.Event()

    def behind_the_gate(_):
        gate.wait(LONGEST_WAIT)
        return Answer(CAPTIONS, "text/vtt")

    greedy, other = account(busy), account(busy)
    links = [captioned(video_site, behind_the_gate) for _ in range(4)]
    jobs = [answer.json()["job_id"] for answer in at_once([asking(busy, greedy, url=link) for link in links])]
    assert busy.run(other, url=captioned(video_site), mode="captions")["status"] == "succeeded"
    states = Counter(busy.job(job_id, greedy)["status"] for job_id in jobs)
    gate.set()
    assert states == {"running": 2, "queued": 2}
    assert {busy.finished(job_id, greedy)["status"] for job_id in jobs} == {"succeeded"}


def test_requests_at_once_do_not_pass_the_limits_of_open_jobs(idle, video_site):
    """Five open jobs for an account, and eight waiting ones for everybody."""
    first, second = account(idle), account(idle)
    links = [captioned(video_site) for _ in range(8)]
    answers = at_once([asking(idle, first, url=link, mode="captions") for link in links])
    assert codes(answers) == {"accepted": 5, "too_many_in_flight": 3}
    answers += at_once([asking(idle, second, url=link, mode="captions") for link in links[:5]])
    assert codes(answers) == {"accepted": 8, "too_many_in_flight": 3, "busy": 2}
    for answer in answers:
        if answer.is_success:
            idle.delete(f"/v1/jobs/{answer.json()['job_id']}", headers=first)
            idle.delete(f"/v1/jobs/{answer.json()['job_id']}", headers=second)


def test_requests_at_once_do_not_spend_more_than_is_left(idle, video_site):
    who = account(idle)
    links = [captioned(video_site, duration=600) for _ in range(5)]
    answers = at_once([asking(idle, who, url=link, mode="audio") for link in links])
    assert codes(answers) == {"accepted": 3, "quota_exceeded": 2}
