import re

from contexts import LONG, context, segment

from svc.engine.export import to_srt

BLOCK = re.compile(r"(\d+)\n(\d{2,}:\d\d:\d\d,\d{3}) --> (\d{2,}:\d\d:\d\d,\d{3})\n((?:.+\n)+)(?:\n|$)")


def parsed(text):
    """Number, start, end and lines of every cue; nothing may be left over."""
    assert BLOCK.sub("", text) == ""
    return [(int(number), start, end, lines.splitlines()) for number, start, end, lines in BLOCK.findall(text)]


def test_cues_are_numbered_from_one():
    assert [cue[0] for cue in parsed(to_srt(context(segment(0, 14, LONG))))] == [1, 2, 3, 4]


def test_times_have_hours_and_milliseconds():
    assert parsed(to_srt(context(segment(3661.0004, 3662.25, "Late."))))[0][1:3] == ("01:01:01,000", "01:01:02,250")


def test_more_than_99_hours():
    assert parsed(to_srt(context(segment(360000, 360001, "Late."))))[0][1] == "100:00:00,000"


def test_a_speaker_is_named_where_the_turn_begins():
    lines = [
        cue[3]
        for cue in parsed(
            to_srt(
                context(
                    segment(0, 1, "Hi.", speaker="S1"),
                    segment(2, 3, "How are you?", speaker="S1"),
                    segment(4, 5, "Fine.", speaker="S2"),
                    speakers=[{"id": "S1", "label": "Ann"}],
                )
            )
        )
    ]
    assert lines == [["Ann: Hi."], ["How are you?"], ["S2: Fine."]]


def test_an_arrow_in_the_text_is_no_time():
    assert parsed(to_srt(context(segment(0, 1, "a --> b"))))[0][3] == ["a -> b"]


def test_markup_characters_stay():
    assert parsed(to_srt(context(segment(0, 1, "x < y & y > z"))))[0][3] == ["x < y & y > z"]


def test_line_breaks_in_a_text_do_not_end_the_cue():
    assert parsed(to_srt(context(segment(0, 1, "one\n\ntwo\r\nthree"))))[0][3] == ["one two three"]


def test_no_speech_is_an_empty_file():
    assert to_srt(context()) == ""
