import pytest
from video_site import captions

from svc.engine.links.captions import decode_captions, is_unpunctuated, parse_captions


def lines(text, ext="vtt"):
    return [(s.start, s.end, s.text) for s in parse_captions(text, ext)[0]]


def test_webvtt_loses_markup_notes_and_entities():
    assert lines(captions.MANUAL_EN) == [(0, 1, "Good morning & welcome."), (1, 2, "This is the talk.")]


def test_webvtt_without_hours_and_header():
    assert lines("01:02.500 --> 01:04.000 align:start\na < b\nand c\n") == [(62.5, 64, "a < b and c")]


def test_subrip():
    assert lines(captions.SRT, "srt") == [(0, 1, "Good morning."), (1, 2, "This is it.")]


def test_subrip_with_dots_overrides_and_old_macintosh_line_ends():
    assert lines("1\r00:00:01.5 --> 00:00:02.000\r{\\an8}<font color='red'>Up</font>\r", "srt") == [(1.5, 2, "Up")]


def test_json3_takes_each_line_once():
    text = captions.json3("one two", "three")
    assert lines(text, "json3") == [(0, 1, "one two"), (1, 2.9, "three")]


def test_ttml_counts_from_its_containers():
    body = '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:t="http://www.w3.org/ns/ttml#parameter" t:tickRate="10">'
    body += '<body><div begin="10s"><p begin="00:00:01.5" dur="5t">A<br/>b &amp; <span>c</span></p></div></body></tt>'
    assert lines(body, "ttml") == [(11.5, 12, "A b & c")]


def test_an_unknown_extension_is_told_from_the_text():
    for text in (captions.TTML, captions.json3("one"), captions.SRT, captions.MANUAL_EN):
        assert parse_captions(text, "unknown_video")[0]


def test_rolling_repeats_are_removed():
    assert lines(captions.ROLLING) == [(0, 1, "good morning and"), (1, 2, "welcome to this")]


def test_a_line_said_twice_with_a_pause_stays_twice():
    assert len(lines("00:00.000 --> 00:01.000\nNo.\n\n00:02.000 --> 00:03.000\nNo.\n")) == 2


def test_voices_become_speakers():
    segments, labels = parse_captions(captions.VOICES)
    assert [s.speaker for s in segments] == ["S1", "S2"]
    assert labels == {"S1": "Ann Lee", "S2": "Bob"}


def test_two_voices_in_one_cue_are_two_segments():
    segments, _ = parse_captions("00:00.000 --> 00:01.000\n<v Ann>Hi <i>you</i></v>\n<v.loud Bob>Ho\n")
    assert [(s.speaker, s.text) for s in segments] == [("S1", "Hi you"), ("S2", "Ho")]


def test_cues_are_sorted_and_never_end_before_they_start():
    text = "00:05.000 --> 00:04.000\nlater\n\n00:01.000 --> 00:02.000\nfirst\n"
    assert lines(text) == [(1, 2, "first"), (5, 10, "later")]


@pytest.mark.parametrize("ext", ["vtt", "srt", "json3", "ttml", "unknown_video"])
@pytest.mark.parametrize(
    "text", ["", "<html>no</html>", "{}", "[1]", '{"events": [{"segs": 1}]}', "[" * 100_000, "<a>" * 9000, "\x00" * 99]
)
def test_what_is_no_captions_gives_none(text, ext):
    assert parse_captions(text, ext) == ([], {})


def test_ttml_with_entities_is_not_read():
    bomb = '<!DOCTYPE tt [<!ENTITY a "aaaa">]><tt><body><p begin="0s" end="1s">&a;</p></body></tt>'
    assert parse_captions(bomb, "ttml") == ([], {})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_common_encodings_are_read(encoding):
    assert decode_captions("Café".encode(encoding)) == "Café"


def test_punctuation_is_judged_by_length():
    assert is_unpunctuated("good morning and welcome")
    assert not is_unpunctuated("Good morning. Welcome!")
    assert not is_unpunctuated("")


@pytest.mark.parametrize("flood", ["<v x", "<v.a", "{\\", "<a", "<v " + " " * 40, "&#", "1:", "a\n", "<", "[", " "])
def test_floods_of_markup_are_read_in_linear_time(flood):
    """A quadratic reader would need minutes for these."""
    head = "00:00:00.000 --> 00:00:01.000\n"
    assert len(parse_captions(head + flood * 300_000)[0]) <= 1
