import pytest
from contexts import LONG, context, segment

from svc.engine.subtitles import LINE_COLUMNS, MAX_SECONDS, columns, cues


def spoken(*words):
    """Words one second apart, half a second long."""
    return [{"text": word, "start": float(at), "end": at + 0.5} for at, word in enumerate(words)]


def text_of(found):
    return " ".join(" ".join(cue.lines) for cue in found)


def test_a_short_segment_is_one_cue():
    assert cues(context(segment(1, 3, "Hello there.")))[0].lines == ["Hello there."]


def test_a_long_segment_is_cut_into_readable_cues():
    found = cues(context(segment(0, 14, LONG)))
    assert len(found) > 1
    assert all(len(cue.lines) <= 2 and max(map(columns, cue.lines)) <= LINE_COLUMNS for cue in found)
    assert text_of(found) == LONG


def test_a_slow_segment_is_cut_by_time():
    found = cues(context(segment(0, 30, "one two three four five six")))
    assert all(cue.end - cue.start <= MAX_SECONDS for cue in found)
    assert text_of(found) == "one two three four five six"


def test_a_few_slow_words_stay_together():
    found = cues(context(segment(0, 30, "Well, hello there.")))
    assert [(cue.lines, cue.end) for cue in found] == [(["Well, hello there."], MAX_SECONDS)]


def test_lines_are_of_about_the_same_width():
    lines = cues(context(segment(0, 4, "the quick brown fox jumps over the lazy dog again")))[0].lines
    assert abs(len(lines[0]) - len(lines[1])) < 8


def test_a_cut_falls_on_the_end_of_a_sentence():
    text = "This is the first sentence of the two that are here. This is the second one, and it is a little longer."
    assert " ".join(cues(context(segment(0, 6, text)))[0].lines).endswith("here.")


def test_word_times_are_used_where_there_are_some():
    words = spoken(*LONG.split())
    found = cues(context(segment(0, 40, LONG, wordRange=[0, len(words)]), words=words))
    starts = {word["text"]: word["start"] for word in words if LONG.split().count(word["text"]) == 1}
    for cue in found:
        first = cue.lines[0].split()[0]
        assert first not in starts or cue.start == starts[first]


def test_without_word_times_a_cut_lies_in_proportion():
    found = cues(context(segment(10, 20, "aaaa " * 20)))
    assert found[1].start == pytest.approx(15, abs=1)


def test_cues_never_overlap():
    found = cues(context(segment(0, 5, "One of two."), segment(3, 6, "Both at once."), segment(3, 3, "And a third.")))
    assert all(left.end <= right.start for left, right in zip(found, found[1:], strict=False))
    assert all(cue.end > cue.start for cue in found)


def test_segments_out_of_order_are_put_in_order():
    found = cues(context(segment(5, 6, "Second."), segment(1, 2, "First.")))
    assert [cue.lines for cue in found] == [["First."], ["Second."]]


def test_a_very_short_cue_lasts_into_the_pause():
    assert cues(context(segment(1, 1.1, "Yes."), segment(9, 10, "No.")))[0].end == 2


def test_chinese_is_cut_between_characters():
    found = cues(context(segment(0, 20, "人工智能正在改变医院的工作方式" * 6)))
    assert all(max(map(columns, cue.lines)) <= LINE_COLUMNS for cue in found)
    assert "".join("".join(cue.lines) for cue in found) == "人工智能正在改变医院的工作方式" * 6


def test_an_endless_word_is_cut():
    found = cues(context(segment(0, 10, "x" * 500)))
    assert all(max(map(len, cue.lines)) <= LINE_COLUMNS for cue in found)


def test_an_empty_segment_has_no_cue():
    assert cues(context(segment(0, 1, "  "), segment(1, 2, "\x00"))) == []


def test_an_hour_in_one_segment_is_cut():
    text = "word " * 9000
    assert len(cues(context(segment(0, 3600, text)))) >= 3600 / MAX_SECONDS
