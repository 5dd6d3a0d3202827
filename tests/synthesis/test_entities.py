from talks import BREAD, STARS, caption_lines, sentences_of, timed

from svc.engine.synthesis.entities import entities
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import sentences


def found(lines, code="en"):
    return {
        name: (kind, count) for name, kind, count in entities(sentences(timed(lines), Language(code)), Language(code))
    }


def test_known_names_have_their_kind():
    names = found(sentences_of(STARS))
    assert names["NASA"] == ("organizations", 1)
    assert names["Chile"] == ("places", 1)


def test_a_title_or_a_first_name_makes_a_person():
    names = found(["We met Professor Okonkwo there.", "Then Maria Gonzalez spoke, and Gonzalez left."])
    assert names["Professor Okonkwo"] == ("people", 1)
    assert names["Maria Gonzalez"] == ("people", 2)


def test_a_word_of_the_name_makes_an_organization():
    assert found(["She works at the University of Leipzig now."])["University of Leipzig"][0] == "organizations"


def test_two_names_joined_by_and_are_two():
    assert {"Germany", "France"} <= found(["They flew to Germany and France."]).keys()


def test_the_first_word_of_a_sentence_is_no_name_by_that_alone():
    assert found(sentences_of(BREAD)).keys().isdisjoint({"Fold", "Bake", "Steam", "Cut", "Let"})


def test_an_unknown_name_is_a_term_once_it_comes_up_again():
    assert found(["We like Blorptron a lot.", "Everybody wants Blorptron now."]) == {"Blorptron": ("terms", 2)}
    assert found(["We like Blorptron a lot."]) == {}


def test_days_and_months_are_no_names():
    assert found(["See you on Monday in March.", "Again on Monday in March."]) == {}


def test_german_nouns_are_no_names():
    assert found(["Der Hund sieht die Katze in Berlin.", "Der Hund mag die Katze."], "de") == {"Berlin": ("places", 1)}


def test_known_names_are_found_without_capitals():
    names = found(caption_lines("We went from berlin to new york with python and postgresql in may " * 3))
    assert names["Berlin"] == ("places", 3)
    assert names["PostgreSQL"] == ("products", 3)


def test_common_words_are_no_names_without_capitals():
    assert found(caption_lines("i eat an apple and look through windows in a flask " * 3)) == {}
