import av
import pytest

from svc.core.errors import EngineError


def streams(path):
    with av.open(str(path)) as container:
        return sorted(stream.type for stream in container.streams)


@pytest.mark.parametrize(
    "path", ["/talk.html", "/media/talk.mp4", "/whole/talk.mp4", "/hls/vod.m3u8", "/hls.html", "/hls/aes.m3u8"]
)
def test_media_arrives_whole(links, path):
    assert streams(links.download(path)) == ["audio", "video"]


def test_a_dash_stream_arrives(links):
    assert streams(links.download("/dash.mpd")) == ["audio"]


def test_progress_is_told_and_never_falls(links):
    links.download("/media/talk.mp4")
    told = [event for event in links.events if event["type"] == "progress"]
    assert told[-1]["done"] == told[-1]["total"] and told[-1]["unit"] == "bytes"


def test_one_file_that_serves_both_is_fetched_once(links, site):
    with links.open("/watch/plain", mode="full") as session:
        paths = {session.download(links.folder, want) for want in ("audio", "video")}
    assert len(paths) == 1 and site.hits["/media/talk.mp4"] == 1


def test_sound_and_picture_of_a_site_that_has_them_apart(links, site):
    formats = [
        {"url": "/media/talk.mp3", "format_id": "a", "ext": "mp3", "acodec": "mp3", "vcodec": "none", "abr": 64},
        {"url": "/media/silent.mp4", "format_id": "v", "ext": "mp4", "acodec": "none", "vcodec": "mp4v", "height": 48},
    ]
    with links.open(site.video("apart", formats=formats)) as session:
        assert streams(session.download(links.folder, "audio")) == ["audio"]
        assert streams(session.download(links.folder, "video")) == ["video"]


def test_a_playlist_is_fetched_once_for_resolve_and_download(links, site):
    with links.open("/hls.html") as session:
        session.resolve()
        before = site.hits["/hls/vod.m3u8"]
        session.download(links.folder)
    assert site.hits["/hls/vod.m3u8"] == before


@pytest.mark.parametrize(
    ("path", "want", "code"),
    [
        ("/media/talk.mp3", "video", "INPUT_UNSUPPORTED"),
        ("/hls-live.html", "audio", "SOURCE_LIVE"),
        ("/hls/hole.m3u8", "audio", "SOURCE_UNAVAILABLE"),
        ("/gone-media.html", "audio", "SOURCE_UNAVAILABLE"),
    ],
)
def test_what_cannot_be_fetched_is_refused(links, path, want, code):
    with pytest.raises(EngineError) as caught:
        links.download(path, want)
    assert caught.value.code == code


def test_silence_has_no_sound_to_fetch(links, site):
    formats = [{"url": "/media/silent.mp4", "ext": "mp4", "acodec": "none", "vcodec": "mp4v"}]
    with pytest.raises(EngineError) as caught:
        links.download(site.video("mute", formats=formats))
    assert caught.value.code == "NO_AUDIO_STREAM"


@pytest.mark.parametrize("path", ["/endless.mp4", "/media/talk.mp4", "/hls/vod.m3u8"])
def test_too_many_bytes_are_not_fetched(links, path):
    with pytest.raises(EngineError) as caught:
        links.download(path, max_media_bytes=10_000)
    assert caught.value.code == "TOO_LARGE"


def test_a_download_that_never_finishes_is_given_up(links):
    with pytest.raises(EngineError) as caught:
        links.download("/slow.mp4", download_seconds=1)
    assert caught.value.code == "TIMEOUT"
