"""The bot check of anonymous callers, against a loopback verifier that speaks its protocol."""

import json
from urllib.parse import parse_qs

import pytest
from service import Service
from video_site import Answer, Server


@pytest.fixture(scope="module")
def verifier():
    """Knows one secret and one good token."""

    def verify(request):
        form = parse_qs(request.rfile.read(int(request.headers["Content-Length"])).decode())
        good = form["secret"] == ["hush"] and form["response"] == ["human"]
        return Answer(json.dumps({"success": good}), "application/json")

    with Server("127.0.0.1") as server:
        server.answers["/siteverify"] = verify
        yield server


@pytest.fixture(scope="module")
def checked(verifier, video_site, tmp_path_factory):
    environ = {
        "SVC_ALLOW_HOSTS": video_site.allow,
        "SVC_EXTRACTOR_PLUGINS": "true",
        "SVC_TURNSTILE_SECRET": "hush",
        "SVC_TURNSTILE_VERIFY_URL": verifier.url("/siteverify"),
        "SVC_WORKERS": "1",
    }
    with Service(tmp_path_factory.mktemp("checked"), video_site.plugin_path, **environ) as running:
        yield running


def test_a_token_that_verifies_starts_the_job(checked, video_site):
    checked.create(url=video_site.url("/media/jfk.mp3"), mode="audio", turnstile_token="human")


@pytest.mark.parametrize(
    ("token", "code"), [({}, "turnstile_required"), ({"turnstile_token": "robot"}, "turnstile_failed")]
)
def test_listening_without_a_good_token_is_refused(checked, video_site, token, code):
    answer = checked.post("/v1/context", json={"url": video_site.url("/media/jfk.mp3"), "mode": "audio", **token})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, code)


def test_captions_need_no_token(checked, video_site):
    checked.create(url=video_site.url("/watch/manual"), mode="captions")
