import pytest


@pytest.fixture(scope="module")
def job(service, video_site):
    return service.run(url=video_site.url("/captioned.html"))


@pytest.mark.parametrize(
    ("format", "media_type", "begins"),
    [
        ("json", "application/json", "{"),
        ("md", "text/markdown", "# "),
        ("srt", "application/x-subrip", "1\n00:00:0"),
        ("vtt", "text/vtt", "WEBVTT"),
        ("txt", "text/plain", ""),
    ],
)
def test_a_result_comes_as_a_file(service, job, format, media_type, begins):
    answer = service.get(f"/v1/jobs/{job['job_id']}/export", params={"format": format})
    assert answer.headers["Content-Type"].startswith(media_type)
    assert answer.text.startswith(begins) and len(answer.text) > 20


def test_another_format_is_refused(service, job):
    answer = service.get(f"/v1/jobs/{job['job_id']}/export", params={"format": "docx"})
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "format")
