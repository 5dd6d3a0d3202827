"""Jobs of an account: minutes, scopes, the list, options that need one."""

import pytest


@pytest.fixture(scope="module")
def key(service):
    service.command("users", "create", "ada@example.org")
    return {"X-API-Key": service.command("keys", "create", "ada@example.org")["key"]}


def test_a_job_is_charged_to_the_account(service, video_site, key):
    job = service.run(headers=key, url=video_site.url("/media/jfk.mp3"), mode="audio", options={"include_words": True})
    words = job["result"]["transcript"]["words"]
    assert job["minutes_charged"] == 0.183 and words[0]["text"] == "And"
    assert job["expires_at"] - job["created_at"] == 30 * 24 * 3600 * 1000


def test_a_bearer_works_like_the_header(service, key):
    bearer = {"Authorization": f"Bearer {key['X-API-Key']}"}
    assert service.get("/v1/jobs", headers=bearer).status_code == 200


def test_a_job_of_an_account_is_unknown_to_others(service, video_site, key):
    job = service.create(headers=key, url=video_site.url("/watch/manual"), mode="captions")
    assert service.get(f"/v1/jobs/{job['job_id']}").json()["error"]["code"] == "not_found"


def test_more_minutes_than_are_left_are_refused_with_both_numbers(service, video_site, key):
    link = video_site.video("hour", duration=3600)
    answer = service.post("/v1/context", json={"url": link, "mode": "audio"}, headers=key)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["minutesNeeded"]) == (402, "quota_exceeded", 60)
    assert 29 < error["minutesRemaining"] <= 30


def test_the_list_pages_from_the_newest(service, video_site, key):
    for name in ("/watch/manual", "/watch/auto"):
        service.run(headers=key, url=video_site.url(name), mode="captions")
    first = service.get("/v1/jobs", params={"limit": 1}, headers=key).json()
    rest = service.get("/v1/jobs", params={"before": first["next_before"]}, headers=key).json()
    assert [job["title"] for job in first["jobs"]] == ["Video auto"]
    assert rest["jobs"][0]["title"] == "Video manual" and rest["next_before"] is None
    assert first["jobs"][0]["provider"] == "fixture" and "result" not in first["jobs"][0]


@pytest.mark.parametrize("query", [{"limit": "0"}, {"limit": "101"}, {"limit": "x"}, {"before": "-1"}])
def test_a_list_query_out_of_range_is_refused(service, key, query):
    answer = service.get("/v1/jobs", params=query, headers=key)
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, next(iter(query)))


def test_the_list_needs_an_account(service):
    answer = service.get("/v1/jobs")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")


def test_a_read_key_starts_nothing(service, video_site, key):
    reader = {"X-API-Key": service.command("keys", "create", "ada@example.org", "--scopes", "read")["key"]}
    assert service.get("/v1/jobs", headers=reader).status_code == 200
    answer = service.post("/v1/context", json={"url": video_site.url("/watch/manual")}, headers=reader)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "insufficient_scope")


def test_a_mistyped_key_is_refused(service, key):
    answer = service.get("/v1/jobs", headers={"X-API-Key": key["X-API-Key"][:-1] + "0"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "invalid_api_key")
