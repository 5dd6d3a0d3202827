"""Events arrive live, replay after a reconnect, and end once."""

import pytest
from recordings import path as recording
from service import Service

from svc.core import schema


@pytest.fixture(scope="module")
def finished(service):
    """A finished job of speech to text."""
    upload_id = service.upload(recording("jfk.mp3")).json()["upload_id"]
    return service.run(upload_id=upload_id, mode="audio", options={"diarize": False})


def test_the_stream_replays_a_finished_job_and_ends(service, finished):
    events = list(service.events(finished["job_id"]))
    assert [event["id"] for event in events] == list(range(1, len(events) + 1))
    assert [events[0]["event"], events[1]["event"], events[-1]["event"]] == ["queued", "started", "done"]


def test_every_event_names_itself_its_run_and_its_time(service, finished):
    for event in service.events(finished["job_id"]):
        data = event["data"]
        assert (data["type"], data["runId"]) == (event["event"], finished["job_id"])
        assert finished["created_at"] <= data["t"] <= finished["finished_at"] + 1


def test_a_reconnect_gets_what_was_missed(service, finished):
    everything = list(service.events(finished["job_id"]))
    assert list(service.events(finished["job_id"], after=3)) == everything[3:]


def test_the_last_id_may_come_as_a_query(service, finished):
    with service.http.stream("GET", f"{finished['events_url']}?last_event_id=3") as answer:
        assert [line for line in answer.iter_lines() if line.startswith("id: ")][0] == "id: 4"


def test_the_first_line_sets_the_retry_time(service, finished):
    answer = service.http.get(finished["events_url"])
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.text.startswith("retry: 3000\n\n")


def test_a_transcribing_job_tells_how_far_it_got(service, finished):
    events = list(service.events(finished["job_id"]))
    partial = next(event["data"] for event in events if event["event"] == "partial")
    assert partial["ratio"] == 1 and partial["totalSeconds"] > 10
    shares = [event["data"]["progress"] for event in events if event["event"] == "progress"]
    assert shares == sorted(shares) and shares[-1] == 1


def test_events_arrive_while_the_job_runs(service):
    upload_id = service.upload(recording("two_cities.wav")).json()["upload_id"]
    job = service.create(upload_id=upload_id, mode="audio", options={"diarize": False, "detail": "brief"})
    event = service.wait_for(job["job_id"], lambda e: e["event"] == "stage")
    assert service.job(job["job_id"])["status"] == "running"
    assert event["data"]["stage"] == "resolve"


def test_a_bad_last_id_is_refused(service, finished):
    answer = service.http.get(finished["events_url"], params={"last_event_id": "x"})
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "last_event_id")


def test_an_error_event_carries_the_error_flat(service, video_site):
    job = service.run(url=video_site.url("/hls/hole.m3u8"), mode="audio")
    last = list(service.events(job["job_id"]))[-1]
    info = {k: v for k, v in last["data"].items() if k not in ("type", "runId", "t")}
    schema.check("error-info", info)
    assert (job["status"], last["event"], job["error"]) == ("failed", "error", info)


def test_a_stream_ends_soon_after_its_key_was_revoked(video_site, tmp_path):
    tmp_path.joinpath("svc.toml").write_text("[limits.service]\nstream_ping_seconds = 1\n")
    with Service(tmp_path, video_site.plugin_path, SVC_ALLOW_HOSTS=video_site.allow, SVC_WORKERS="0") as waiting:
        waiting.command("users", "create", "ada@example.org")
        key = waiting.command("keys", "create", "ada@example.org")
        headers = {"X-API-Key": key["key"]}
        job = waiting.create(headers, url=video_site.url("/captioned.html"))
        events = waiting.events(job["job_id"], headers=headers)
        assert next(events)["event"] == "queued"
        waiting.command("keys", "revoke", key["id"])
        assert list(events) == []
        assert waiting.get(f"/v1/jobs/{job['job_id']}/events", headers=headers).status_code == 401
