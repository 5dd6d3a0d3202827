import pytest
from service import Service

from svc.core import schema


def test_the_status_counts_real_outcomes(service, video_site):
    service.run(url=video_site.url("/watch/manual"), mode="captions")
    answer = service.get("/v1/status").json()
    schema.check("status", answer)
    assert (answer["status"], answer["free_tier"]) == ("operational", {"listen_watch": "open"})


@pytest.fixture(scope="module")
def spent(video_site, tmp_path_factory):
    """A service whose anonymous callers have spent the day's money."""
    environ = {
        "SVC_ALLOW_HOSTS": video_site.allow,
        "SVC_EXTRACTOR_PLUGINS": "true",
        "SVC_ANONYMOUS_BUDGET_USD": "0",
        "SVC_WORKERS": "1",
    }
    with Service(tmp_path_factory.mktemp("spent"), video_site.plugin_path, **environ) as running:
        yield running


def test_a_spent_budget_is_shown(spent):
    answer = spent.get("/v1/status").json()
    assert (answer["status"], answer["free_tier"]["listen_watch"]) == ("degraded", "paused")


def test_a_spent_budget_pauses_listening(spent, video_site):
    answer = spent.post("/v1/context", json={"url": video_site.url("/media/jfk.mp3"), "mode": "audio"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
    assert int(answer.headers["Retry-After"]) > 0


def test_a_spent_budget_leaves_auto_the_captions(spent, video_site):
    created = spent.create(url=video_site.url("/watch/manual"))
    assert created["degraded"] == {"from": "auto", "to": "captions", "reason": "busy"}
    job = spent.finished(created["job_id"])
    assert (job["mode"], job["status"], job["degraded"]) == ("auto", "succeeded", created["degraded"])
