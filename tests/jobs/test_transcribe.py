"""Upload and job in one multipart request."""

import pytest
from recordings import path as recording


def send(service, name="jfk.mp3", body=None, **fields):
    files = {"file": (name, body or recording(name).read_bytes())}
    return service.post("/v1/transcribe", files=files, data=fields)


def test_a_file_becomes_a_job(service):
    answer = send(service, mode="listen", options='{"detail": "brief", "diarize": false}', language="en")
    created = answer.json()
    assert answer.status_code == 202 and created["upload_id"].startswith("upl_")
    assert service.finished(created["job_id"])["result"]["transcript"]["language"] == "en"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"colour": "red"}, "colour"),
        ({"mode": "loud"}, "mode"),
        ({"options": "{"}, "options"),
        ({"options": '{"speed": 1}'}, "options.speed"),
        ({"options": '{"vocabulary": NaN}'}, "options"),
        ({"language": "not a language"}, "language"),
    ],
)
def test_a_bad_field_is_named(service, fields, field):
    answer = send(service, **fields)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
    assert answer.json()["error"].get("field") == field


def test_a_form_without_a_file_is_refused(service):
    answer = service.post("/v1/transcribe", data={"mode": "auto"}, files={"other": b"x"})
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "file")


def test_a_file_that_is_no_media_is_refused(service):
    assert send(service, "talk.mp3", b"text").json()["error"]["code"] == "unsupported_media"


def test_a_refused_job_names_the_upload_that_arrived(service):
    answer = send(service, mode="captions")
    assert answer.status_code == 422
    assert service.post("/v1/context", json={"upload_id": answer.json()["error"]["upload_id"]}).status_code == 202
