import html
import re

from contexts import LONG, context, segment

from svc.engine.export import to_vtt

CUE = re.compile(r"(\d{2,}:\d\d:\d\d\.\d{3}) --> (\d{2,}:\d\d:\d\d\.\d{3})\n((?:.+\n)+)(?:\n|$)")
VOICE = re.compile(r"<v ([^>]+)>(.*)</v>", re.DOTALL)


def parsed(text):
    """Start, end, voice and text of every cue, as a player reads them; nothing may be left over."""
    head, _, body = text.partition("\n")
    assert head == "WEBVTT"
    assert CUE.sub("", body).strip() == ""
    return [(start, end, *voiced(payload.strip())) for start, end, payload in CUE.findall(body)]


def voiced(payload):
    match = VOICE.fullmatch(payload)
    voice, text = (html.unescape(match.group(1)), match.group(2)) if match else (None, payload)
    assert "<" not in text and ">" not in text
    return voice, html.unescape(text)


def test_the_text_comes_back():
    assert " ".join(cue[3].replace("\n", " ") for cue in parsed(to_vtt(context(segment(0, 14, LONG))))) == LONG


def test_hours_are_written_out():
    assert parsed(to_vtt(context(segment(3661.5, 3663, "Late."))))[0][:2] == ("01:01:01.500", "01:01:03.000")


def test_speakers_have_voice_tags():
    text = to_vtt(context(segment(0, 1, "Hi.", speaker="S1"), segment(2, 3, "Yes.", speaker="S1")))
    assert [cue[2] for cue in parsed(text)] == ["S1", "S1"]
    assert "<v S1>Hi.</v>" in text


def test_a_label_stands_for_the_speaker():
    labelled = context(segment(0, 1, "Hi.", speaker="S1"), speakers=[{"id": "S1", "label": "Ann <&> Bob"}])
    assert parsed(to_vtt(labelled))[0][2] == "Ann <&> Bob"


def test_markup_characters_are_escaped():
    said = "if a < b && c --> d <i>then</i> &amp;"
    assert parsed(to_vtt(context(segment(0, 3, said))))[0][3] == said


def test_no_speech_is_a_valid_empty_file():
    assert to_vtt(context()) == "WEBVTT\n"
