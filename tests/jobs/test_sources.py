"""Sources that cannot be used just now, or not as asked."""

from recordings import path as recording
from refused import refused

from svc.engine.media.fingerprint import content_key


def test_a_picture_asked_of_a_sound_file_is_refused(service):
    upload_id = service.upload(recording("jfk.mp3")).json()["upload_id"]
    answer = service.post("/v1/context", json={"upload_id": upload_id, "mode": "visual"})
    error = refused(answer, 422, "input_unsupported")
    assert error["engineCode"] == "INPUT_UNSUPPORTED" and "audio" in error["hint"]


def test_a_site_that_is_asked_too_often_says_for_how_long(service, video_site):
    link = video_site.serve("/too-often", "later", status=429, headers={"Retry-After": "70"})
    answer = service.post("/v1/context", json={"url": link})
    error = refused(answer, 503, "rate_limit")
    assert (error["engineCode"], error["retryable"]) == ("RATE_LIMIT", True)
    assert 70 <= int(answer.headers["Retry-After"]) <= 71


def test_a_site_that_fails_may_be_asked_again(service, video_site):
    error = refused(service.post("/v1/context", json={"url": video_site.url("/status/500")}), 502, "network")
    assert (error["engineCode"], error["retryable"], error["stage"]) == ("NETWORK", True, "resolve")


def test_a_file_that_was_taken_down_gets_no_job(service, tmp_path):
    taken = tmp_path / "talk.mp3"
    taken.write_bytes(recording("jfk.mp3").read_bytes() + b"taken down")
    service.command("takedown", "add", content_key(taken))
    answer = service.post("/v1/transcribe", files={"file": taken.read_bytes()})
    assert refused(answer, 451, "blocked_content")["upload_id"].startswith("upl_")
