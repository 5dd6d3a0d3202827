import pytest

from svc.engine.links.language import language_tag
from svc.engine.links.tracks import preferred


def track(path="a.vtt", ext="vtt"):
    return [{"url": f"http://a.test/{path}", "ext": ext}]


def order(info, *wishes):
    return [(o.track.kind, o.track.language) for o in preferred(info, wishes)]


MACHINE = {
    "en-orig": track("auto"),
    "en": track("auto2"),
    "de": track("auto?lang=en&tlang=de"),
    "fr": track("auto?lang=en&tlang=fr"),
}


def test_people_come_before_machines_and_translations_last():
    info = {"subtitles": {"de": track(), "en": track()}, "automatic_captions": MACHINE, "language": "en"}
    kinds = ["manual en", "auto en", "auto en", "manual de", "translated de", "translated fr"]
    assert [" ".join(row) for row in order(info)] == kinds


def test_recognised_speech_comes_before_a_copy_of_it():
    offers = preferred({"automatic_captions": dict(reversed(MACHINE.items()))}, ())
    assert offers[0].formats[0]["url"].endswith("auto")


def test_a_wanted_language_comes_first():
    info = {"subtitles": {"en": track(), "de": track(), "fr": track()}, "language": "en"}
    assert order(info, "fr", "de") == [("manual", "fr"), ("manual", "de"), ("manual", "en")]


def test_the_exact_region_comes_before_the_same_language():
    info = {"subtitles": {"pt-PT": track(), "pt-BR": track()}}
    assert order(info, "pt-BR")[0] == ("manual", "pt-BR")
    assert order(info, "pt")[0] == ("manual", "pt-PT")


def test_a_translation_into_the_wanted_language_comes_first_among_translations():
    assert order({"automatic_captions": MACHINE}, "fr")[-2:] == [("translated", "fr"), ("translated", "de")]


def test_a_manual_track_in_another_language_is_a_translation():
    info = {"subtitles": {"en": track(), "de": track()}, "language": "en"}
    assert [o.translated_from for o in preferred(info, ())] == [None, "en"]


def test_chats_and_unreadable_forms_are_no_captions():
    info = {"subtitles": {"live_chat": track(ext="json"), "danmaku": track(), "en": track(ext="srv3"), "de": []}}
    assert order(info) == []


def test_the_most_exact_form_is_tried_first():
    forms = [{"url": "http://a.test/x", "ext": ext} for ext in ("srt", "ttml", "vtt", "json3")]
    assert [f["ext"] for f in preferred({"subtitles": {"en": forms}}, ())[0].formats] == ["json3", "vtt", "srt", "ttml"]


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("en", "en"),
        ("EN_us", "en-US"),
        ("eng", "en"),
        ("zh-hans", "zh-Hans"),
        ("zh-Hant-TW", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("en-nP7-2PuUl7o", "en"),
        ("English", None),
        ("und", None),
        ("", None),
        (None, None),
    ],
)
def test_language_names_become_tags(name, tag):
    assert language_tag(name) == tag
