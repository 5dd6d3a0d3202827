import pytest

from svc.core.errors import EngineError
from svc.engine.links.formats import audio_format, video_format


def sound(name, **more):
    return {"url": f"http://a.test/{name}", "format_id": name, "vcodec": "none", "acodec": "opus", **more}


def muxed(name, **more):
    return {"url": f"http://a.test/{name}", "format_id": name, "vcodec": "avc1", "acodec": "mp4a", **more}


def picture(name, **more):
    return {"url": f"http://a.test/{name}", "format_id": name, "vcodec": "avc1", "acodec": "none", **more}


def chosen(choose, *formats, **options):
    return choose({"formats": list(formats)}, **options)["format_id"]


def test_speech_needs_the_smallest_good_sound():
    assert chosen(audio_format, sound("32", abr=32), sound("48", abr=48), sound("128", abr=128), muxed("m")) == "48"


def test_poor_sounds_are_taken_best_first():
    assert chosen(audio_format, sound("24", abr=24), sound("32", abr=32), sound("unknown")) == "32"


def test_the_original_voice_comes_before_a_dubbed_one():
    dubbed = sound("dubbed", abr=50, language_preference=-1)
    assert chosen(audio_format, dubbed, sound("original", abr=130, language_preference=10)) == "original"


def test_without_sound_on_its_own_the_smallest_video_is_taken():
    assert chosen(audio_format, muxed("720", height=720), muxed("360", height=360), picture("p", height=90)) == "360"


def test_a_picture_wanted_too_is_taken_along():
    formats = muxed("720", height=720), muxed("360", height=360)
    assert chosen(audio_format, *formats, with_picture=True) == "720"


def test_the_picture_is_readable_but_not_huge():
    assert chosen(video_format, *(picture(str(h), height=h) for h in (144, 720, 1080))) == "720"
    assert chosen(video_format, *(picture(str(h), height=h) for h in (2160, 1080))) == "1080"


@pytest.mark.parametrize("url", ["rtmp://a.test/x", "rtsp://a.test/x", "mms://a.test/x", "ws://a.test/x"])
def test_other_protocols_are_refused(url):
    with pytest.raises(EngineError) as caught:
        audio_format({"url": url})
    assert caught.value.code == "URL_UNSUPPORTED"


def test_protected_media_is_refused():
    with pytest.raises(EngineError) as caught:
        audio_format({"formats": [sound("x", has_drm=True)]})
    assert caught.value.code == "SOURCE_UNAVAILABLE"
