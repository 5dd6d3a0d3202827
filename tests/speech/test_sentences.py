from stagehand import words

from svc.engine.speech.sentences import MAX_SECONDS, sentences
from svc.engine.speech.text import spell
from svc.engine.transcript import Word


def texts(found):
    return [segment.text for segment in sentences(found)]


def test_sentences_end_at_their_punctuation():
    assert texts(words("Who is there? It is me! Come in.")) == ["Who is there?", "It is me!", "Come in."]


def test_a_title_or_initial_does_not_end_a_sentence():
    assert texts(words("Mr. J. Smith met Dr. Jones at 5 p.m. today.")) == [
        "Mr. J. Smith met Dr. Jones at 5 p.m. today."
    ]


def test_a_full_stop_before_a_small_letter_does_not_end_a_sentence():
    assert texts(words("He used approx. ten of them.")) == ["He used approx. ten of them."]


def test_closing_quotes_belong_to_their_sentence():
    assert texts(words('"Stop!" He left.')) == ['"Stop!"', "He left."]


def test_chinese_sentences_have_no_spaces():
    found = [Word(text, i, i + 0.5) for i, text in enumerate(["你", "好。", "我", "很", "好", "！"])]
    assert texts(found) == ["你好。", "我很好！"]


def test_a_long_pause_ends_a_sentence_without_punctuation():
    assert texts(words("so I went") + words("and then", start=10)) == ["so I went", "and then"]


def test_endless_speech_is_cut_at_its_pauses():
    found = words("word " * 100) + words("word " * 100, start=41.0)
    parts = sentences(found)
    assert max(part.end - part.start for part in parts) <= MAX_SECONDS
    assert [word for part in parts for word in part.words] == found


def test_a_segment_has_its_words_and_their_times():
    (segment,) = sentences(words("Come in.", start=3))
    assert (segment.start, segment.end) == (3, segment.words[-1].end)
    assert spell(segment.words) == segment.text


def test_no_words_are_no_sentences():
    assert sentences([]) == []
