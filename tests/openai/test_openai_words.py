import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc.engine.models.openai.words import put_together, stamps, stretches
from svc.engine.speech.text import spell

SECONDS = 10.0


def words(answer):
    return [word for part in put_together(stretches(answer, SECONDS), stamps(answer, SECONDS)) for word in part]


def segment(text, start, end, **more):
    return {"text": text, "start": start, "end": end, **more}


def word(text, start, end, **more):
    return {"word": text, "start": start, "end": end, **more}


def shown(answer):
    return [(w.text, w.start, w.end) for w in words(answer)]


def test_words_take_their_punctuation_from_the_segments():
    answer = {
        "segments": [segment(' "Ask not," he said.', 0, 4)],
        "words": [word("Ask", 0, 1), word("not", 1, 2), word("he", 2, 3), word("said", 3, 4)],
    }
    assert shown(answer) == [('"Ask', 0, 1), ('not,"', 1, 2), ("he", 2, 3), ("said.", 3, 4)]


def test_each_word_belongs_to_the_segment_that_has_its_text():
    answer = {
        "segments": [segment("One two.", 0, 2), segment("Two three.", 2, 4)],
        "words": [word("One", 0, 1), word("two", 1, 2.2), word("Two", 2.3, 3), word("three", 3, 4)],
    }
    parts = put_together(stretches(answer, SECONDS), stamps(answer, SECONDS))
    assert [spell(part) for part in parts] == ["One two.", "Two three."]


def test_words_in_pieces_become_whole():
    pieces = [word(" five", 0, 1), word("-", 1, 1), word("year", 1, 2), word(" plan", 2, 3), word(".", 3, 3)]
    assert shown({"segments": [segment("five-year plan.", 0, 3, words=pieces)]}) == [
        ("five-year", 0, 2),
        ("plan.", 2, 3),
    ]


def test_a_script_without_spaces_is_cut_where_words_begin():
    answer = {"text": "今日は、晴れ。", "words": [word("今日", 0, 1), word("は", 1, 2), word("晴れ", 3, 4)]}
    assert shown(answer) == [("今日", 0, 1), ("は、", 1, 2), ("晴れ。", 3, 4)]


def test_words_without_times_lie_between_their_neighbours():
    answer = {"segments": [segment("a b c d", 0, 4)], "words": [word("a", 0, 1), word("d", 3, 4)]}
    assert shown(answer) == [("a", 0, 1), ("b", 1, 2), ("c", 2, 3), ("d", 3, 4)]
    assert [w.synthetic for w in words(answer)] == [False, True, True, False]


def test_segments_alone_give_interpolated_words():
    found = words({"segments": [segment("ab cd", 2, 4), segment("efgh", 5, 6)]})
    assert [(w.text, w.start, w.end) for w in found] == [("ab", 2, 3), ("cd", 3, 4), ("efgh", 5, 6)]
    assert all(w.synthetic for w in found)


def test_text_alone_lies_over_the_whole_sound():
    assert shown({"text": "ab cd"}) == [("ab", 0, 5), ("cd", 5, 10)]


def test_text_alone_without_spaces_is_cut_into_characters():
    assert [text for text, _, _ in shown({"text": "今日は。"})] == ["今", "日", "は。"]


def test_words_alone_are_their_own_text():
    assert shown({"words": [word("a", 0, 1), word("b", 1, 2)]}) == [("a", 0, 1), ("b", 1, 2)]


@pytest.mark.parametrize("wrong", [None, "later", float("nan"), -3, 99, [1]])
def test_times_that_are_none_do_not_get_through(wrong):
    answer = {"segments": [segment("a b", 0, 2)], "words": [word("a", wrong, wrong), word("b", 1, 2)]}
    found = words(answer)
    assert [w.text for w in found] == ["a", "b"]
    assert all(0 <= w.start <= w.end <= SECONDS for w in found)


def test_times_may_come_as_text():
    assert shown({"segments": [segment("a", "1.5", "2.5")]}) == [("a", 1.5, 2.5)]


def test_confidence_is_the_servers():
    answer = {"segments": [segment("a b", 0, 2)], "words": [word("a", 0, 1, probability=0.25), word("b", 1, 2)]}
    assert [w.confidence for w in words(answer)] == [0.25, None]


@pytest.mark.parametrize("junk", [None, 5, "x", [5, None], [{}], {"a": 1}])
def test_junk_is_no_speech(junk):
    assert words({"text": None, "segments": junk, "words": junk}) == []


TIMES = st.floats(-2, 12) | st.none()
TEXTS = st.text("ab, 今日.\n", min_size=1, max_size=8)
STAMPS = st.lists(st.builds(word, TEXTS, TIMES, TIMES), max_size=6)
SEGMENTS = st.lists(st.builds(segment, TEXTS, TIMES, TIMES), max_size=4)


@given(st.fixed_dictionaries({"text": TEXTS, "words": STAMPS, "segments": SEGMENTS}))
def test_no_letter_is_lost_and_no_time_runs_backwards(answer):
    found = words(answer)
    said = "".join(part.text for part in stretches(answer, SECONDS))
    letters = [char for char in said if char.isalnum()]
    assert [char for w in found for char in w.text if char.isalnum()] == letters
    starts = [w.start for w in found]
    assert starts == sorted(starts)
    assert all(0 <= w.start <= w.end <= SECONDS for w in found)
