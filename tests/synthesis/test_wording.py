import pytest

from svc.engine.synthesis.language import Language
from svc.engine.synthesis.wording import clipped, shown

ENGLISH = Language("en")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("So, um, we bake the bread today.", "We bake the bread today."),
        ("And I mean, the oven is hot enough.", "The oven is hot enough."),
        ("no one knows the answer yet", "No one knows the answer yet"),
        ("So far the dough is fine.", "So far the dough is fine."),
        ("So that is the end of it.", "That is the end of it."),
        ("So what?", "So what?"),
        ("then i saw what i'm doing", "Then I saw what I'm doing"),
        ("we stop here,", "We stop here"),
    ],
)
def test_a_sentence_is_shown_without_its_lead_and_with_a_capital(said, text):
    assert shown(said, ENGLISH) == text


def test_other_languages_have_leads_of_their_own():
    assert shown("ähm, also wir backen heute Brot", Language("de")) == "Wir backen heute Brot"
    assert shown("euh, donc on fait le pain ici", Language("fr")) == "On fait le pain ici"


def test_known_names_get_their_capitals_in_a_text_without_any():
    assert shown("we moved to new york and use postgresql", ENGLISH, caseless=True) == (
        "We moved to New York and use PostgreSQL"
    )


def test_shouting_is_shown_as_speech():
    assert shown("THE RAIN FALLS IN SPAIN", ENGLISH, caseless=True) == "The rain falls in Spain"


def test_a_clipped_text_ends_between_words():
    assert clipped("one two three four", 12) == "one two…"


def test_a_short_text_is_not_clipped():
    assert clipped("one two", 12) == "one two"
