"""When the service itself has no room, no time or no money for more work."""

import pytest
from refused import refused
from service import Service

FORM = {"file": ("jfk.mp3", b"x")}


@pytest.fixture
def start(video_site, tmp_path):
    """Starts a service without workers, with what `svc.toml` and the environment add."""
    started = []

    def start(toml="", **environ):
        tmp_path.joinpath("svc.toml").write_text(toml)
        environ = {"SVC_ALLOW_HOSTS": video_site.allow, "SVC_EXTRACTOR_PLUGINS": "true", "SVC_WORKERS": "0", **environ}
        started.append(Service(tmp_path, video_site.plugin_path, **environ))
        started[0].start()
        return started[0]

    yield start
    for service in started:
        service.stop()


def test_a_full_queue_takes_no_job(start, video_site):
    service = start("[limits.service]\nwaiting_jobs = 1\n")
    body = {"url": video_site.url("/watch/manual"), "mode": "captions"}
    service.create(**body)
    assert "queue" in refused(service.post("/v1/context", json=body), 503, "busy")["message"]


def test_a_disk_that_is_nearly_full_takes_no_work(start):
    service = start(SVC_DISK_RESERVE_MB=str(1 << 40))
    for answer in (
        service.post("/v1/context", json={"url": "http://x/"}),
        service.upload(b"small"),
        service.upload(bytes(1 << 20)),
        service.post("/v1/transcribe", files=FORM),
    ):
        refused(answer, 503, "busy")


def test_an_account_that_spent_its_money_waits_until_tomorrow(start, video_site):
    service = start(SVC_ACCOUNT_SPEND_USD="0")
    service.command("users", "create", "ada@example.org")
    key = {"X-API-Key": service.command("keys", "create", "ada@example.org")["key"]}
    answer = service.post("/v1/context", json={"url": video_site.url("/media/jfk.mp3")}, headers=key)
    refused(answer, 429, "daily_spend_limit")
    assert int(answer.headers["Retry-After"]) <= 24 * 3600


def test_a_source_that_does_not_answer_in_time_is_told(start, video_site):
    service = start("[limits.service]\nresolve_seconds = 1\n")
    answer = service.post("/v1/context", json={"url": video_site.url("/stall")})
    error = refused(answer, 504, "timeout")
    assert (error["engineCode"], error["retryable"], error["stage"]) == ("TIMEOUT", True, "resolve")


def test_a_bot_check_that_cannot_be_reached_is_told(start, video_site):
    service = start(SVC_TURNSTILE_SECRET="hush", SVC_TURNSTILE_VERIFY_URL="http://127.0.0.1:9/nowhere")
    body = {"url": video_site.url("/media/jfk.mp3"), "mode": "audio", "turnstile_token": "human"}
    refused(service.post("/v1/context", json=body), 503, "busy")
