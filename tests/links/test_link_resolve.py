import subprocess
import sys
from pathlib import Path

import pytest

from svc.core.errors import EngineError
from svc.engine.facts import Facts


def refusal(links, path, **options):
    with pytest.raises(EngineError) as caught:
        links.resolve(path, **options)
    return caught.value


def test_a_page_tells_what_it_says(links, site):
    facts = links.resolve("/jsonld.html")
    assert facts.source == {
        "kind": "url",
        "provider": "generic",
        "url": site.url("/jsonld.html"),
        "canonicalUrl": site.url("/jsonld.html"),
        "videoId": facts.content_id.removeprefix("generic:"),
        "extractor": "generic",
    }
    assert facts.meta["title"] == "A talk about tests"
    assert facts.meta["channel"] == {"name": "Ann Lee"}
    assert facts.meta["uploadDate"] == "2026-03-04"
    assert facts.meta["tags"] == ["tests", "talks"]
    assert facts.meta["thumbnailUrl"] == site.url("/poster.jpg")


@pytest.mark.parametrize(
    "path", ["/talk.html", "/media/talk.mp4", "/whole/talk.mp4", "/redirect/302?to=/media/talk.mp4", "/jsonld.html"]
)
def test_length_and_streams_are_learned_from_the_file(links, path):
    facts = links.resolve(path)
    assert (facts.duration, facts.has_audio, facts.has_video) == (2, True, True)
    assert {
        "durationSeconds": 2,
        "hasAudio": True,
        "hasVideo": True,
        "width": 64,
        "height": 48,
    }.items() <= facts.meta.items()


@pytest.mark.parametrize("name", ["talk.mp3", "talk.wav"])
def test_a_sound_file_has_no_picture(links, name):
    facts = links.resolve(f"/media/{name}")
    assert (facts.duration, facts.has_audio, facts.has_video) == (2, True, False)


def test_a_silent_video_has_no_sound(links):
    assert links.resolve("/silent.html").has_audio is False


@pytest.mark.parametrize("path", ["/hls/vod.m3u8", "/hls.html", "/hls/aes.m3u8", "/dash.mpd"])
def test_a_stream_is_as_long_as_its_segments(links, path):
    assert links.resolve(path).duration == 2


def test_a_known_site_gives_its_own_id(links):
    facts = links.resolve("/watch/manual?utm_source=x")
    assert facts.content_id == "fixture:manual"
    assert (facts.source["provider"], facts.source["videoId"]) == ("fixture", "manual")


def test_tracks_are_listed(links):
    found = {(track.kind, track.language) for track in links.resolve("/watch/manual").tracks}
    assert found == {("manual", "en"), ("manual", "de"), ("auto", "en"), ("translated", "fr")}


def test_a_track_without_language_is_listed(links):
    assert [track.language for track in links.resolve("/unnamed-track.html").tracks] == [None]


def test_chapters_keep_their_names(links, site):
    chapters = [{"start_time": 0, "title": "Intro"}, {"start_time": 1, "end_time": 2, "title": "End"}]
    link = site.video("chapters", chapters=chapters)
    expected = [{"start": 0, "end": 1, "title": "Intro"}, {"start": 1, "end": 2, "title": "End"}]
    assert links.resolve(link).meta["chapters"] == expected


def test_facts_survive_json(links):
    facts = links.resolve("/watch/manual")
    assert Facts.from_json(facts.to_json()) == facts


def test_what_the_page_says_is_not_looked_up(links, site):
    links.resolve("/watch/plain")
    assert dict(site.hits) == {"/api/plain.json": 1}


def test_captions_need_no_look_into_the_media(links, site):
    assert links.resolve("/captioned.html", mode="captions").duration is None
    assert dict(site.hits) == {"/captioned.html": 1}


def test_the_length_of_a_captioned_video_is_measured_on_demand(links):
    with links.open("/captioned.html") as session:
        assert session.resolve(measure=True).duration == 2


def test_a_link_is_shown_without_its_secrets(links, site):
    facts = links.resolve("/talk.html?token=s3cret")
    assert "s3cret" not in str(facts.to_json())
    assert facts.content_id != links.resolve("/talk.html").content_id


def test_a_page_cannot_take_another_sites_id(links, site):
    """An extractor that follows a foreign page's data must not store it under the site's id."""
    link = site.video("known", webpage_url="http://evil.test/watch/known")
    assert links.resolve(link).source["provider"] == "generic"


def test_control_characters_and_floods_are_left_out(links, site):
    link = site.video("flood", title="A\x00\x1b[31mB" + "x" * 9999, tags=["t"] * 9999, description="d" * 99999)
    meta = links.resolve(link).meta
    assert meta["title"].startswith("A[31mB") and len(meta["title"]) <= 500
    assert len(meta["tags"]) == 100 and len(meta["description"]) == 20_000


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/text.html", "URL_UNSUPPORTED"),
        ("/several.html", "URL_UNSUPPORTED"),
        ("/feed.xml", "URL_UNSUPPORTED"),
        ("/paper.pdf", "URL_UNSUPPORTED"),
        ("/dot.png", "URL_UNSUPPORTED"),
        ("/blob", "URL_UNSUPPORTED"),
        ("/fake.mp4", "URL_UNSUPPORTED"),
        ("/gone-media.html", "SOURCE_UNAVAILABLE"),
        ("/hls/live.m3u8", "SOURCE_LIVE"),
        ("/hls-live.html", "SOURCE_LIVE"),
        ("/status/401", "SOURCE_AUTH_REQUIRED"),
        ("/status/403", "SOURCE_BLOCKED"),
        ("/status/404", "SOURCE_UNAVAILABLE"),
        ("/status/410", "SOURCE_UNAVAILABLE"),
        ("/status/429", "RATE_LIMIT"),
        ("/status/451", "SOURCE_UNAVAILABLE"),
        ("/status/500", "NETWORK"),
        ("/watch/live", "SOURCE_LIVE"),
        ("/watch/upcoming", "SOURCE_LIVE"),
        ("/watch/premiere", "SOURCE_LIVE"),
        ("/watch/offline", "SOURCE_LIVE"),
        ("/watch/geo", "SOURCE_UNAVAILABLE"),
        ("/watch/private", "SOURCE_UNAVAILABLE"),
        ("/watch/removed", "SOURCE_UNAVAILABLE"),
        ("/watch/drm", "SOURCE_UNAVAILABLE"),
        ("/watch/login", "SOURCE_AUTH_REQUIRED"),
        ("/watch/members", "SOURCE_AUTH_REQUIRED"),
        ("/watch/age", "SOURCE_AUTH_REQUIRED"),
        ("/watch/blocked", "SOURCE_BLOCKED"),
        ("/watch/limited", "RATE_LIMIT"),
        ("http://name.invalid/", "SOURCE_UNAVAILABLE"),
    ],
)
def test_what_cannot_be_used_is_refused(links, path, code):
    assert refusal(links, path).code == code


def test_several_videos_come_with_advice(links):
    assert refusal(links, "/several.html").hint == "Send the link of one video."


def test_an_upstream_status_is_told(links):
    assert refusal(links, "/status/404").status == 404


def test_a_closed_port_is_a_network_error(links, site):
    assert refusal(links, "http://127.0.0.2:1/", allow_hosts=("127.0.0.2:1",)).code == "NETWORK"


def test_too_long_is_refused(links):
    assert refusal(links, "/talk.html", max_seconds=1.5).code == "SOURCE_TOO_LONG"
    assert links.resolve("/talk.html", max_seconds=2)


@pytest.mark.parametrize("path", ["/stall", "/slow.mp4"])
def test_a_site_that_never_finishes_is_given_up(links, path):
    assert refusal(links, path, resolve_seconds=1).code == "TIMEOUT"


def test_a_crashing_extractor_is_a_source_error(links, site):
    assert refusal(links, site.video("odd", formats=None)).code == "SOURCE_UNAVAILABLE"


def test_a_malformed_exception_is_told_to_the_operator(links):
    with pytest.raises(ValueError, match="somewhere"):
        links.resolve("/talk.html", allow_hosts=("somewhere",))


def test_plugins_are_off_unless_the_operator_wants_them(site):
    program = """if True:
        import sys
        from svc.engine.links.address import AddressPolicy
        from svc.engine.links.guard import GuardedYoutubeDL
        from svc.engine.links.network import Network
        with GuardedYoutubeDL(Network(AddressPolicy(), 1), plugins=len(sys.argv) > 1) as ydl:
            print("Fixture" in ydl._ies)
    """
    env = {"PYTHONPATH": f"{Path(__file__).parents[2]}:{site.plugin_path}"}
    shown = [
        subprocess.run([sys.executable, "-c", program, *wish], env=env, capture_output=True, text=True).stdout.strip()
        for wish in ([], ["on"])
    ]
    assert shown == ["False", "True"]
