import json

from contexts import context, segment

from svc.engine.export import FORMATS, to_text


def test_a_paragraph_a_turn():
    said = [
        segment(0, 1, "Hi.", speaker="S1"),
        segment(1, 2, "Well.", speaker="S1"),
        segment(2, 3, "Yes?", speaker="S2"),
    ]
    assert to_text(context(*said)) == "S1: Hi. Well.\n\nS2: Yes?\n"


def test_a_long_turn_has_paragraphs():
    said = [segment(at * 10.0, at * 10.0 + 9, f"Sentence {at}.") for at in range(12)]
    assert to_text(context(*said)).count("\n\n") == 2


def test_chinese_lines_are_joined_without_spaces():
    assert to_text(context(segment(0, 1, "人工智能"), segment(1, 2, "很好。"))) == "人工智能很好。\n"


def test_a_context_without_words_says_why():
    silent = {"code": "NO_SPEECH_DETECTED", "message": "Nobody seems to speak in this recording.", "data": {}}
    assert to_text({**context(), "warnings": [silent]}) == "[no speech]\n"
    assert to_text(context()) == "[no transcript]\n"


def test_every_format_has_a_media_type():
    assert {name: kind for name, (_, kind) in FORMATS.items()} == {
        "json": "application/json",
        "md": "text/markdown",
        "srt": "application/x-subrip",
        "vtt": "text/vtt",
        "txt": "text/plain",
    }


def test_json_is_the_context_itself():
    value = context(segment(0, 1, "Grüße 人"))
    assert json.loads(FORMATS["json"][0](value)) == value
