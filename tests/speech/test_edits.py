import pytest
from stagehand import words

from svc.engine.speech.edits import edits
from svc.engine.speech.text import join, tokens


def rewritten(text, corrected):
    return [word for edit in edits(words(text), tokens(corrected)) for word in edit.made()]


def test_words_that_stay_keep_times_and_confidence():
    made = rewritten("i heard a beep", "I heard a beep.")
    assert [(word.text, word.confidence) for word in made] == [("I", 0.9), ("heard", 0.9), ("a", 0.9), ("beep.", 0.9)]
    assert [word.start for word in made] == [word.start for word in words("i heard a beep")]


def test_a_changed_word_keeps_its_time_but_not_the_confidence():
    made = rewritten("I heard a beef.", "I heard a beep.")
    assert (made[3].text, made[3].start, made[3].confidence) == ("beep.", pytest.approx(1.2), None)


def test_more_words_share_the_time_of_fewer():
    made = rewritten("my rock androll band", "my rock and roll band")
    assert [word.synthetic for word in made] == [False, False, True, True, False]
    assert made[2].start == pytest.approx(0.8)
    assert made[3].end == pytest.approx(1.1)


def test_an_added_word_lies_between_its_neighbours():
    made = rewritten("I am here", "I am not here")
    assert made[2].synthetic
    assert made[1].end <= made[2].start <= made[2].end <= made[3].start


@pytest.mark.parametrize("text", ["Don't go — I'm here.", "你好。「我」很好！", "Use GPT-4 在 2024 年。"])
def test_text_is_taken_apart_and_put_together(text):
    assert join(tokens(text)).replace(" ", "") == text.replace(" ", "")


def test_characters_without_spaces_are_words_with_their_punctuation():
    assert tokens("你好。我") == ["你", "好。", "我"]
