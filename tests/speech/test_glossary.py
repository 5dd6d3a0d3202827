import pytest
from stagehand import words

from svc.engine.speech.glossary import Glossary, counted
from svc.engine.speech.text import spell


def put_right(text, *terms, sure=0.95, language="en"):
    heard = words(text)
    for word in heard:
        word.confidence = sure
    return Glossary(terms, language).put_right(heard)


def text_of(*args, **kwargs):
    return spell(put_right(*args, **kwargs)[0])


@pytest.mark.parametrize(
    ("heard", "term", "right"),
    [
        ("We run Cooper Netties here.", "Kubernetes", "We run Kubernetes here."),
        ("Use post grass, please.", "Postgres", "Use Postgres, please."),
        ("the hug in face hub", "Hugging Face", "the Hugging Face hub"),
        ("Said Dash would to her", "Dashwood", "Said Dashwood to her"),
        ("in digim's office", "Digium", "in Digium's office"),
    ],
)
def test_doubtful_words_that_sound_like_a_term_are_put_right(heard, term, right):
    assert text_of(heard, term, sure=0.4) == right


def test_an_unknown_word_is_put_right_however_sure_the_recogniser_was():
    assert text_of("Ask Wendworth first.", "Wentworth") == "Ask Wentworth first."


@pytest.mark.parametrize(
    ("heard", "term"),
    [
        ("We made a decision.", "Decizion"),
        ("as to risk and reward", "Asterisk"),
        ("He eats an apple.", "Apple"),
    ],
)
def test_common_words_that_were_clearly_heard_stay(heard, term):
    assert text_of(heard, term) == heard


def test_words_of_unknown_confidence_count_as_sure():
    assert text_of("as to risk and reward", "Asterisk", sure=None) == "as to risk and reward"


@pytest.mark.parametrize(
    ("heard", "term"),
    [
        ("Two asterisks follow.", "Asterisk"),
        ("an astronaut", "Asterisk"),
        ("the city of", "Velocity"),
        ("a cat", "Kat"),
    ],
)
def test_other_words_and_forms_stay_even_when_doubtful(heard, term):
    assert text_of(heard, term, sure=0.3) == heard


def test_a_term_gets_its_own_capitals():
    assert text_of("Our postgresql and nasa.", "PostgreSQL", "NASA") == "Our PostgreSQL and NASA."


def test_one_word_for_three_has_all_their_time():
    right, _ = put_right("see as to risk now", "Asterisk", sure=0.4)
    assert [word.text for word in right] == ["see", "Asterisk", "now"]
    assert (right[1].start, right[1].end, right[1].synthetic) == (pytest.approx(0.4), pytest.approx(1.5), False)


def test_every_fix_is_counted():
    _, fixes = put_right("Wendworth met Wendworth. Cooper Netties!", "Wentworth", "Kubernetes")
    assert counted(fixes) == [
        {"from": "Wendworth", "to": "Wentworth", "count": 2},
        {"from": "Cooper Netties", "to": "Kubernetes", "count": 1},
    ]


def test_other_languages_go_by_their_letters():
    assert text_of("produjo a Wendworth la", "Wentworth", sure=0.4, language="es") == "produjo a Wentworth la"
    assert text_of("produjo a Wendworth la", "Wentworth", language="es") == "produjo a Wendworth la"


def test_without_terms_nothing_changes():
    assert text_of("All is well.", sure=0.1) == "All is well."


@pytest.mark.parametrize("heard", ["Asterisk à partir", "un Asterisk de", "asterisk la", "Asterik la"])
def test_a_short_word_beside_a_term_is_not_taken_with_it(heard):
    right = text_of(heard, "Asterisk", sure=0.4, language="fr")
    assert right.split()[-1] == heard.split()[-1]
    assert len(right.split()) == len(heard.split())


def test_a_word_beside_a_term_stays_when_it_is_the_only_doubtful_one():
    heard = words("a Wendworth la subcesión")
    heard[1].confidence, heard[2].confidence = 0.65, 0.4
    assert spell(Glossary(("Wentworth",), "es").put_right(heard)[0]) == "a Wendworth la subcesión"
