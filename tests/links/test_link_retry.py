import pytest
from video_site import Answer

from svc.core.errors import EngineError

SHORT = (0.01, 0.01)


@pytest.fixture
def flaky(site):
    """Makes a path fail a number of times before it answers as before."""

    def make(path, times, **failure):
        good = site.answer(path, None)
        site.answers[path] = lambda request: Answer(**failure) if site.hits[path] <= times else good

    return make


def retries(links):
    return [event for event in links.events if event["type"] == "retry"]


def test_a_server_error_is_tried_again(links, flaky):
    flaky("/talk.html", 2, status=503)
    assert links.resolve("/talk.html", waits=SHORT).duration == 2
    assert [(e["attempt"], e["code"], e["stage"]) for e in retries(links)] == [
        (n, "NETWORK", "resolve") for n in (1, 2)
    ]


def test_a_rate_limit_is_tried_again_after_the_wait_it_names(links, flaky):
    flaky("/talk.html", 1, status=429, headers={"Retry-After": "1"})
    assert links.resolve("/talk.html", waits=SHORT)
    assert [(e["code"], e["delayMs"]) for e in retries(links)] == [("RATE_LIMIT", 1000)]


def test_a_caption_file_is_tried_again(links, flaky):
    flaky("/captions/manual.en.vtt", 1, status=500)
    assert links.captions("/watch/manual", waits=SHORT).language == "en"


def test_a_download_is_tried_again(links, flaky, site):
    site.serve("/clip.mp4", (site.media / "talk.mp4").read_bytes(), "video/mp4")
    flaky("/clip.mp4", 1, status=500)
    link = site.video("clip", formats=[{"url": "/clip.mp4", "ext": "mp4"}])
    assert links.download(link, waits=SHORT).stat().st_size == len((site.media / "talk.mp4").read_bytes())


def test_the_last_failure_is_told(links, site):
    with pytest.raises(EngineError) as caught:
        links.resolve("/status/500", waits=SHORT)
    assert caught.value.code == "NETWORK"
    assert (site.hits["/status/500"], len(retries(links))) == (3, 2)


def test_a_longer_wait_is_left_to_the_caller(links, site):
    site.serve("/busy", status=429, headers={"Retry-After": "120"})
    with pytest.raises(EngineError) as caught:
        links.resolve("/busy", waits=SHORT)
    assert caught.value.retry_after_ms == 120_000
    assert site.hits["/busy"] == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_clear_no_is_not_asked_twice(links, site, status):
    with pytest.raises(EngineError):
        links.resolve(f"/status/{status}", waits=SHORT)
    assert site.hits[f"/status/{status}"] == 1


def test_waiting_ends_with_the_time(links):
    with pytest.raises(EngineError) as caught:
        links.resolve("/status/500", waits=(5,), resolve_seconds=0.5)
    assert caught.value.code == "TIMEOUT"
