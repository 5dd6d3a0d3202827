import pytest
from recordings import path as recording

from svc.core import schema


def test_a_recording_is_stored_and_described(service):
    answer = service.upload(recording("jfk.mp3"), "inauguration%20speech.mp3")
    upload = answer.json()
    schema.check("upload", upload)
    assert answer.status_code == 201
    assert (upload["file_name"], upload["has_audio"], upload["has_video"]) == ("inauguration speech.mp3", True, False)
    assert 10.9 < upload["duration_seconds"] < 11.1


def test_a_video_with_sound_has_both(service):
    upload = service.upload(recording("bunny.mp4")).json()
    assert (upload["has_audio"], upload["has_video"], upload["mime"]) == (True, True, "video/mp4")


def test_a_path_in_the_file_name_is_cut_off(service):
    assert service.upload(recording("jfk.mp3"), "..%2F..%2Fetc%2Fpasswd").json()["file_name"] == "passwd"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"just some text",
        b"#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n",
        b"ffconcat version 1.0\nfile /etc/passwd\n",
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        bytes(range(256)) * 40,
    ],
)
def test_what_is_not_media_is_refused(service, body):
    answer = service.upload(body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "unsupported_media")


@pytest.mark.parametrize("name", ["broken_header.wav", "broken_rate.wav", "empty.wav"])
def test_a_broken_file_is_refused(service, name):
    assert service.upload(recording(name)).status_code == 415


def test_a_truncated_file_is_refused(service):
    assert service.upload(recording("bunny.mp4").read_bytes()[:20_000]).status_code == 415


def test_an_upload_serves_one_job_only(service):
    upload_id = service.upload(recording("jfk.mp3")).json()["upload_id"]
    service.create(upload_id=upload_id)
    answer = service.post("/v1/context", json={"upload_id": upload_id})
    assert (answer.status_code, answer.json()["error"]["code"]) in [(409, "upload_in_use"), (404, "upload_not_found")]


@pytest.mark.parametrize("upload_id", ["upl_" + "x" * 22, "nonsense", "../secret.key"])
def test_an_unknown_upload_is_not_found(service, upload_id):
    answer = service.post("/v1/context", json={"upload_id": upload_id})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "upload_not_found")


def test_a_body_without_its_length_is_refused(service):
    answer = service.http.put("/api/v1/uploads", content=iter([b"RIFF"]))
    assert (answer.status_code, answer.json()["error"]["code"]) == (411, "length_required")
