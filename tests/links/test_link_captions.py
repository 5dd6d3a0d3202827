import os
import subprocess
import sys
from pathlib import Path

import pytest
from video_site import Answer, captions

from svc.core.errors import EngineError


def texts(transcript):
    return [segment.text for segment in transcript.segments]


def one_track(site, path, ext="vtt", **info):
    return site.video("one", subtitles={"en": [{"url": path, "ext": ext}]}, **info)


def test_manual_captions(links):
    found = links.captions("/watch/manual")
    assert texts(found) == ["Good morning & welcome.", "This is the talk."]
    assert (found.origin, found.timing, found.language, found.translated_from) == (
        "captions-manual",
        "caption",
        "en",
        None,
    )
    assert links.warnings() == []


def test_captions_of_an_html_page(links):
    assert links.captions("/captioned.html").language == "en"


def test_a_wanted_language_is_taken(links):
    found = links.captions("/watch/manual", languages=("de-AT",))
    assert (found.language, found.translated_from) == ("de", "en")
    assert texts(found)[0] == "Guten Morgen und willkommen."


def test_automatic_captions_are_called_unpunctuated(links):
    found = links.captions("/watch/auto")
    assert (found.origin, texts(found)) == ("captions-auto", ["good morning and welcome", "this is the talk"])
    assert links.warnings() == ["AUTO_CAPTIONS_UNPUNCTUATED"]


def test_translated_captions_are_named(links):
    found = links.captions("/watch/translated")
    assert (found.origin, found.language, found.translated_from) == ("captions-auto", "fr", "en")
    assert "TRANSLATED_CAPTIONS" in links.warnings()


def test_speakers_of_voice_tags(links, site):
    found = links.captions(one_track(site, "/captions/voices.vtt"))
    assert found.diarized and found.speaker_labels == {"S1": "Ann Lee", "S2": "Bob"}


@pytest.mark.parametrize("name", ["lines.srt", "lines.ttml", "rolling.vtt"])
def test_other_forms(links, site, name):
    assert len(links.captions(one_track(site, f"/captions/{name}", name.rpartition(".")[2])).segments) == 2


def test_captions_in_the_page_itself(links, site):
    link = site.video("inline", subtitles={"en": [{"data": captions.SRT, "ext": "srt"}]})
    assert texts(links.captions(link)) == ["Good morning.", "This is it."]


def test_captions_in_hls_segments(links, site):
    site.serve(
        "/hls/text.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n/captions/manual.en.vtt\n#EXT-X-ENDLIST\n"
    )
    track = {"url": "/hls/text.m3u8", "ext": "vtt", "protocol": "m3u8_native"}
    assert texts(links.captions(site.video("hls", subtitles={"en": [track]})))[-1] == "This is the talk."


@pytest.mark.parametrize("bad", ["/captions/empty.vtt", "/captions/broken.vtt", "/status/404", "/status/500"])
def test_an_unreadable_track_falls_through_to_the_next(links, site, bad):
    tracks = {"en": [{"url": bad, "ext": "vtt"}], "de": [{"url": "/captions/manual.de.vtt", "ext": "vtt"}]}
    assert links.captions(site.video("next", subtitles=tracks, language="en")).language == "de"


def test_an_empty_form_falls_through_to_the_next_form(links, site):
    forms = [{"url": "/captions/empty.vtt", "ext": "json3"}, {"url": "/captions/manual.en.vtt", "ext": "vtt"}]
    assert links.captions(site.video("forms", subtitles={"en": forms}))


@pytest.mark.parametrize("bad", ["/captions/empty.vtt", "/status/404"])
def test_nothing_readable_is_none(links, site, bad):
    assert links.captions(one_track(site, bad), mode="captions") is None


def test_no_tracks_is_none(links):
    assert links.captions("/watch/plain") is None


def test_a_site_in_trouble_is_told_when_only_captions_will_do(links, site):
    with pytest.raises(EngineError) as caught:
        links.captions(one_track(site, "/status/503"), mode="captions")
    assert caught.value.code == "NETWORK"


def test_one_page_and_one_track_are_fetched_once(links, site):
    with links.open("/captioned.html", mode="captions") as session:
        session.resolve()
        session.captions()
    assert dict(site.hits) == {"/captioned.html": 1, "/captions/manual.en.vtt": 1}


def test_the_last_line_ends_with_the_video(links):
    assert links.captions("/watch/auto").segments[-1].end == 2


def test_captions_tell_that_a_video_is_too_long(links, site):
    with pytest.raises(EngineError) as caught:
        links.captions("/captioned.html", max_seconds=1)
    assert caught.value.code == "SOURCE_TOO_LONG"


def test_captions_longer_than_the_page_tells_do_not_pass_for_short(links, site):
    track = site.serve("/captions/long.vtt", "WEBVTT\n\n00:00:08.000 --> 00:00:09.000\nStill here.\n")
    with pytest.raises(EngineError) as caught:
        links.captions(one_track(site, track, duration=2), max_seconds=5)
    assert caught.value.code == "SOURCE_TOO_LONG"


def test_an_endless_track_is_not_read(links, site):
    site.answers["/endless.vtt"] = Answer(chunks=lambda: iter(lambda: b"x" * 65536, b""))
    assert links.captions(one_track(site, "/endless.vtt"), max_page_bytes=1 << 20) is None


def test_captions_load_no_media_library(site, tmp_path):
    program = """if True:
        import sys
        from svc.engine.links.session import open_link
        from svc.engine.request import Config, Request
        from svc.engine.run import Run
        config = Config("models", ".", allow_hosts=(sys.argv[2],))
        with open_link(Run(Request("url", sys.argv[1], "captions"), config, print)) as session:
            print(session.resolve().content_id[:7], session.captions().language, {"av", "numpy"} & set(sys.modules))
    """
    command = [sys.executable, "-c", program, site.url("/captioned.html"), site.allow]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    shown = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True)
    assert shown.stdout.split() == ["generic", "en", "set()"]
