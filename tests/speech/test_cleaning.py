import pytest
from stagehand import passage, words

from svc.engine.speech.cleaning import garbled, nothing_said, without_loops
from svc.engine.transcript import Word

SPEECH = [(0.0, 60.0)]


def said(text, **judged):
    return passage(words(text), **judged)


def shortened(text):
    return " ".join(word.text for word in without_loops(words(text)))


def test_plain_speech_is_kept():
    assert not nothing_said(said("This is a sentence."), SPEECH)


def test_words_beside_the_speech_are_made_up():
    assert nothing_said(said("This is a sentence."), [(30.0, 60.0)])


@pytest.mark.parametrize("text", ["Thank you.", "Thanks for watching!", "Please subscribe to my channel.", "you"])
def test_a_stock_phrase_is_not_believed_when_the_model_doubts(text):
    assert nothing_said(said(text, logprob=-0.8, no_speech=0.4), SPEECH)


def test_a_clearly_heard_thank_you_is_believed():
    assert not nothing_said(said("Thank you.", logprob=-0.2, no_speech=0.05), SPEECH)


@pytest.mark.parametrize("text", ["[Music]", "(applause)", "♪ la la ♪", "...", "♪"])
def test_a_description_of_sound_is_no_speech(text):
    assert nothing_said(said(text), SPEECH)


def test_text_over_what_the_model_calls_silence_is_no_speech():
    assert nothing_said(said("I am going", logprob=-0.9, no_speech=0.9), SPEECH)


def test_a_loop_keeps_its_first_round():
    assert shortened("so I'm sorry, I'm sorry, I'm sorry, I'm sorry, I'm sorry, bye") == "so I'm sorry, bye"


def test_a_loop_inside_one_word_is_cut_with_it():
    found = [Word("1,", 0, 1), Word("5,5,5,5,5,5,5,5,5,5", 1, 2), Word("5,5,5", 2, 3), Word("end", 3, 4)]
    assert [word.text for word in without_loops(found)] == ["1,", "5,5,5,5,5,5,5,5,5,5", "end"]


def test_a_loop_of_characters_without_spaces():
    assert len(without_loops([Word(char, i, i + 1) for i, char in enumerate("谢谢" * 20)])) <= 2


@pytest.mark.parametrize(
    "text", ["no no no no no", "row, row, row your boat", "words, words, words, words, um", "ha ha ha ha"]
)
def test_what_people_do_repeat_is_kept(text):
    assert shortened(text) == text


def test_an_unsure_or_repetitive_decode_is_tried_again():
    assert garbled(said("Some words.", logprob=-1.2), second_try=False)
    assert garbled(said("Some words.", compression=3.0), second_try=False)
    assert not garbled(said("Some words."), second_try=False)
