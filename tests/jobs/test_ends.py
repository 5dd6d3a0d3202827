"""Cancel, delete, crash: every job ends, and once."""

import os
import signal
import wave
from pathlib import Path

import pytest
from recordings import path as recording


@pytest.fixture
def long_recording(tmp_path):
    """Some minutes of speech: long enough to be in the middle of it."""
    with wave.open(str(recording("two_cities.wav"))) as source:
        parameters, frames = source.getparams(), source.readframes(source.getnframes())
    path = tmp_path / "long.wav"
    with wave.open(str(path), "wb") as target:
        target.setparams(parameters)
        for _ in range(5):
            target.writeframes(frames)
    return path


@pytest.fixture
def talking(service, long_recording):
    """A job in the middle of speech to text."""
    upload_id = service.upload(long_recording).json()["upload_id"]
    job = service.create(upload_id=upload_id, mode="audio", options={"diarize": False})
    service.wait_for(job["job_id"], in_transcribe)
    yield job
    service.delete(f"/v1/jobs/{job['job_id']}")


def in_transcribe(event):
    return event["event"] == "progress" and event["data"]["stage"] == "transcribe"


def test_delete_stops_a_running_job(service, talking):
    answer = service.delete(f"/v1/jobs/{talking['job_id']}")
    job = answer.json()
    assert (answer.status_code, job["status"], job["cancel_requested"]) == (200, "canceled", True)
    assert (job["error"]["code"], job["minutes_charged"]) == ("CANCELLED", None)
    assert list(service.events(talking["job_id"]))[-1]["data"]["code"] == "CANCELLED"


def test_delete_erases_an_ended_job(service, video_site):
    job = service.run(url=video_site.url("/captioned.html"))
    answer = service.delete(f"/v1/jobs/{job['job_id']}")
    assert (answer.status_code, answer.json()) == (200, {"job_id": job["job_id"], "status": "deleted"})
    assert service.get(f"/v1/jobs/{job['job_id']}").status_code == 404


def test_a_killed_engine_fails_the_job_clearly(service, talking):
    os.kill(engine_of(service.worker_pid()), signal.SIGKILL)
    job = service.finished(talking["job_id"])
    assert (job["status"], job["error"]["code"], job["error"]["stage"]) == ("failed", "INTERNAL", "transcribe")


def test_a_killed_worker_ends_in_a_finished_job(service, talking):
    worker = service.worker_pid()
    os.kill(worker, signal.SIGKILL)
    service.wait_for_new_worker(worker)
    seen = [event["event"] for event in service.events(talking["job_id"]) if event["event"] != "progress"]
    job = service.job(talking["job_id"])
    assert (job["status"], job["attempt"]) == ("succeeded", 2)
    assert seen.count("requeued") == 1 and seen.count("started") == 2 and seen.count("done") == 1


@pytest.mark.parametrize(
    ("job_id", "status", "code"), [("job_" + "x" * 22, 404, "not_found"), ("nonsense", 400, "invalid_request")]
)
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_job_that_is_not_there(service, method, job_id, status, code):
    answer = service.http.request(method, f"/api/v1/jobs/{job_id}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def engine_of(worker):
    """The process that runs the job: the worker's only child."""
    threads = Path(f"/proc/{worker}/task").iterdir()
    return next(int(child) for thread in threads for child in (thread / "children").read_text().split())
