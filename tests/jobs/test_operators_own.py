"""What only the operator can mend stays with the operator: callers are told that it did not work, and neutrally."""

import json
import subprocess
import sys

import pytest
from openai_fake import OpenAIFake, faults
from recordings import path as recording
from service import Service

SECRETS = ("SVC_", "model server", "rejected", "quota", "credential", "account")


@pytest.fixture(scope="module")
def models():
    with OpenAIFake() as fake:
        yield fake


@pytest.fixture(scope="module")
def asking(models, video_site, tmp_path_factory):
    """A service whose ears and language model are at the server `models`."""
    settings = {
        "SVC_ALLOW_HOSTS": video_site.allow,
        "SVC_EXTRACTOR_PLUGINS": "true",
        "SVC_ASR_PROVIDER": "openai",
        "SVC_SYNTHESIS_PROVIDER": "openai",
        "SVC_OPENAI_API_KEY": models.key,
        "SVC_OPENAI_BASE_URL": models.base_url,
        "SVC_OPENAI_MODEL": models.model,
        "SVC_OPENAI_STT_BASE_URL": models.base_url,
        "SVC_OPENAI_STT_MODEL": models.ears,
    }
    data_dir = tmp_path_factory.mktemp("operators-own")
    data_dir.joinpath("svc.toml").write_text("[limits.anonymous]\nrequests_per_minute = 100\n")
    with Service(data_dir, video_site.plugin_path, **settings) as service:
        yield service


def job_with(service, models, fault):
    """The end of a job of which every call to the speech model fails, and all its events."""
    models.reset()
    models.fail_next("transcription", *[fault] * 50)
    upload_id = service.upload(recording("jfk.mp3")).json()["upload_id"]
    job = service.create(upload_id=upload_id, mode="audio", options={"diarize": False})
    events = [event["data"] for event in service.events(job["job_id"])]
    return service.job(job["job_id"]), events


def shows(value):
    return [word for word in SECRETS if word in json.dumps(value)]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (faults.HTML, "INTERNAL"),
        (faults.MOVED, "INTERNAL"),
        (faults.page(401), "INTERNAL"),
        (faults.NO_QUOTA, "RATE_LIMIT"),
    ],
)
def test_a_caller_is_told_to_try_again(asking, models, fault, code):
    job, events = job_with(asking, models, fault)
    assert (job["status"], job["error"]["code"]) == ("failed", code)
    assert "Try again later" in job["error"]["hint"] and "status" not in job["error"]
    assert not shows(job["error"]) and not shows(events)
    assert events[-1]["code"] == code


def test_a_question_is_told_so_too(asking, models, video_site):
    models.reset()
    job = asking.run(url=video_site.url("/captioned.html"))
    models.fail_next("chat", *[faults.HTML] * 20)
    answer = asking.post("/v1/ask", json={"job_id": job["job_id"], "question": "What is it about?"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["retryable"]) == (500, "internal_error", False)
    assert not shows(error)


def test_the_operator_is_told_all_of_it(asking, models):
    models.reset()
    models.fail_next("transcription", *[faults.HTML] * 50)
    command = [sys.executable, "-m", "cli", "run", str(recording("jfk.mp3")), "--mode", "audio"]
    done = subprocess.run(command, env=asking.environ, capture_output=True, text=True)
    assert done.returncode == 5
    assert "check SVC_OPENAI_STT_BASE_URL" in done.stderr and "[PROVIDER_PROTOCOL]" in done.stderr
    assert "tell the operator" not in done.stderr
