"""Who may read, follow and end a job: foreign, unknown, malformed and expired ones at every door."""

import pytest
from recordings import path as recording
from refused import refused
from service import Service

DOORS = [("GET", ""), ("GET", "/events"), ("DELETE", ""), ("GET", "/export?format=txt")]
every_door = pytest.mark.parametrize(("method", "rest"), DOORS)


def call(service, method, job_id, rest, headers=None):
    return service.http.request(method, f"/api/v1/jobs/{job_id}{rest}", headers=headers)


def key_of(service, email):
    service.command("users", "create", email)
    return {"X-API-Key": service.command("keys", "create", email)["key"]}


@pytest.fixture(scope="module")
def ann(service):
    return key_of(service, "ann@example.org")


@pytest.fixture(scope="module")
def bob(service):
    return key_of(service, "bob@example.org")


@pytest.fixture(scope="module")
def job_of_ann(service, video_site, ann):
    return service.create(ann, url=video_site.url("/watch/manual"), mode="captions")["job_id"]


@every_door
def test_a_job_of_another_account_is_like_a_missing_one(service, bob, job_of_ann, method, rest):
    missing = refused(call(service, method, "job_" + "x" * 22, rest, bob), 404, "not_found")
    for stranger in (bob, None):
        assert refused(call(service, method, job_of_ann, rest, stranger), 404, "not_found") == missing


@every_door
@pytest.mark.parametrize("job_id", ["job_1", "job_" + "x" * 21 + "-", "job_" + "x" * 23, "upl_" + "x" * 22])
def test_what_is_no_job_id_is_refused(service, method, rest, job_id):
    assert refused(call(service, method, job_id, rest), 400, "invalid_request")["field"] == "id"


@pytest.fixture(scope="module")
def anonymous_job(service, video_site):
    return service.create(url=video_site.url("/watch/manual"), mode="captions")["job_id"]


def test_an_anonymous_job_is_read_by_whoever_holds_its_id(service, ann, anonymous_job):
    assert service.job(anonymous_job, ann)["job_id"] == anonymous_job


def test_an_anonymous_job_is_ended_by_its_creator_only(service, ann, anonymous_job):
    refused(call(service, "DELETE", anonymous_job, "", ann), 403, "not_owner")


def test_a_job_without_a_result_is_not_exported(service, video_site):
    job = service.run(url=video_site.url("/hls/hole.m3u8"), mode="audio")
    refused(call(service, "GET", job["job_id"], "/export?format=txt"), 409, "job_not_ready")


@pytest.fixture(scope="module")
def taken_down(service, video_site):
    captions = {"en": [{"url": "/captions/manual.en.vtt", "ext": "vtt"}]}
    link = video_site.video("taken-while-read", subtitles=captions)
    job = service.create(url=link, mode="captions")
    service.command("takedown", "add", link)
    return job["job_id"]


@every_door
def test_a_job_of_content_that_was_taken_down_is_not_shown(service, taken_down, method, rest):
    refused(call(service, method, taken_down, rest), 451, "blocked_content")


@pytest.fixture(scope="module")
def fleeting(tmp_path_factory):
    """A service where everything expires at once."""
    data_dir = tmp_path_factory.mktemp("fleeting")
    data_dir.joinpath("svc.toml").write_text("[limits.anonymous]\nresult_ttl_hours = 0\n")
    with Service(data_dir, SVC_WORKERS="0") as running:
        yield running


@pytest.fixture(scope="module")
def expired_job(fleeting):
    upload_id = fleeting.upload(recording("jfk.mp3")).json()["upload_id"]
    return fleeting.create(upload_id=upload_id, mode="audio")["job_id"]


@every_door
def test_an_expired_job_is_gone(fleeting, expired_job, method, rest):
    refused(call(fleeting, method, expired_job, rest), 410, "job_expired")


def test_an_old_upload_is_gone(tmp_path):
    tmp_path.joinpath("svc.toml").write_text("[limits.service]\nupload_ttl_seconds = 0\n")
    with Service(tmp_path, SVC_WORKERS="0") as service:
        upload_id = service.upload(recording("jfk.mp3")).json()["upload_id"]
        answer = service.post("/v1/context", json={"upload_id": upload_id})
        assert refused(answer, 410, "upload_expired")["hint"] == "Upload the file again."
