"""What gets no job: each with its status, its code, and the engine's code beside it."""

import pytest
from recordings import path as recording

from svc.core import schema


@pytest.mark.parametrize(
    ("page", "status", "code"),
    [
        ("/text.html", 422, "url_unsupported"),
        ("/several.html", 422, "url_unsupported"),
        ("/feed.xml", 422, "url_unsupported"),
        ("/paper.pdf", 422, "url_unsupported"),
        ("/dot.png", 422, "url_unsupported"),
        ("/fake.mp4", 422, "url_unsupported"),
        ("/nowhere", 422, "source_unavailable"),
        ("/status/410", 422, "source_unavailable"),
        ("/status/401", 422, "source_auth_required"),
        ("/status/403", 422, "source_blocked"),
        ("/status/429", 503, "rate_limit"),
        ("/status/500", 502, "network"),
        ("/hls/live.m3u8", 422, "source_live"),
        ("/watch/live", 422, "source_live"),
        ("/watch/upcoming", 422, "source_live"),
        ("/watch/login", 422, "source_auth_required"),
        ("/watch/geo", 422, "source_unavailable"),
        ("/watch/drm", 422, "source_unavailable"),
    ],
)
def test_a_link_that_cannot_be_used_is_refused(service, video_site, page, status, code):
    answer = service.post("/v1/context", json={"url": video_site.url(page)})
    error = answer.json()["error"]
    schema.check("error", answer.json())
    assert (answer.status_code, error["code"]) == (status, code)
    assert error["engineCode"] == code.upper() and error["hint"]


@pytest.mark.parametrize(
    "link",
    ["http://127.0.0.1/", "http://169.254.169.254/", "http://[::1]/", "file:///etc/passwd", "ftp://127.0.0.2/", "talk"],
)
def test_a_private_address_or_another_scheme_is_refused(service, link):
    answer = service.post("/v1/context", json={"url": link})
    assert (answer.status_code, answer.json()["error"]["engineCode"]) == (422, "URL_UNSUPPORTED")


def test_a_video_longer_than_the_plan_allows_is_refused(service, video_site):
    answer = service.post("/v1/context", json={"url": video_site.video("long", duration=901)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "video_too_long")


def test_captions_asked_of_a_source_without_them_name_the_way_out(service, video_site):
    answer = service.post("/v1/context", json={"url": video_site.url("/media/jfk.mp3"), "mode": "captions"})
    error = answer.json()["error"]
    assert (answer.status_code, error["engineCode"]) == (422, "SOURCE_UNAVAILABLE")
    assert "audio" in error["hint"]


def test_sound_asked_of_a_silent_video_is_refused(service):
    upload = service.upload(recording("silent_video.mp4")).json()
    answer = service.post("/v1/context", json={"upload_id": upload["upload_id"], "mode": "audio"})
    assert (answer.status_code, answer.json()["error"]["engineCode"]) == (422, "NO_AUDIO_STREAM")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{", None),
        (b"[]", None),
        (b'{"url": NaN}', None),
        (b"[" * 60_000, None),
        (b'{"url": "\xff"}', None),
        (b'{"url": "http://x/", "upload_id": "upl_1"}', None),
        (b'{"url": "http://x/", "colour": 1}', "colour"),
        (b'{"url": "http://x/", "mode": "loud"}', "mode"),
        (b'{"url": "http://x/", "options": {"speed": 1}}', "options.speed"),
        (b'{"url": "http://x/", "language": "not a language"}', "language"),
    ],
)
def test_a_body_that_does_not_fit_is_refused(service, body, field):
    answer = service.post("/v1/context", content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
    assert answer.json()["error"].get("field") == field


@pytest.mark.parametrize(
    "options", [{"include_words": True}, {"quality": "high"}, {"visual": {"fps": 1}}, {"vocabulary": ["svc"]}]
)
def test_an_option_for_accounts_is_refused_without_one(service, options):
    answer = service.post("/v1/context", json={"url": "http://x/", "options": options})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "account_required")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"X-API-Key": "svc_live_x"}, "invalid_api_key"),
        ({"Authorization": "Bearer svc_live_x"}, "invalid_api_key"),
        ({"Authorization": "Bearer x"}, "invalid_token"),
    ],
)
def test_a_credential_that_is_not_known_is_refused(service, headers, code):
    answer = service.post("/v1/context", json={"url": "http://x/"}, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, code)
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_an_unknown_path_is_json(service):
    answer = service.get("/v1/nothing")
    error = {"code": "not_found", "message": "There is nothing at this address."}
    assert (answer.status_code, answer.json()) == (404, {"error": error})


def test_a_wrong_method_says_which_are_allowed(service):
    answer = service.get("/v1/context")
    error = {"code": "method_not_allowed", "message": "This address does not take this method."}
    assert (answer.status_code, answer.json()) == (405, {"error": error})
    assert "POST" in answer.headers["Allow"]
