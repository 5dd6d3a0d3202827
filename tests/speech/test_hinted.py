import numpy as np
import pytest
from stagehand import Scripted, passage, words

from svc.core.errors import EngineError
from svc.engine.media.audio import RATE, Audio
from svc.engine.speech.hinted import look_for_terms
from svc.engine.speech.text import spell


@pytest.fixture
def look(tmp_path):
    """What becomes of words of some confidence when others are heard with hints; also the recogniser's calls."""
    np.zeros(20 * RATE, "<i2").tofile(tmp_path / "quiet.pcm")
    audio = Audio(tmp_path / "quiet.pcm", 20 * RATE)

    def look(first, hinted, *terms, sure=0.7, language="fr"):
        found = words(first)
        for word in found:
            word.confidence = sure
        recognizer = Scripted(hinted if isinstance(hinted, Exception) else [passage(words(hinted))])
        right, fixes = look_for_terms(recognizer, audio, found, language, terms)
        return spell(right), fixes, recognizer.calls

    return look


@pytest.mark.parametrize(
    ("first", "hinted", "right"),
    [
        ("à propos d'astérisques, appuyez", "a propos d'Asterisk, appuyer", "à propos d'Asterisk, appuyez"),
        ("ce serveur à stérise à partir", "ce serveur Asterisk à partir", "ce serveur Asterisk à partir"),
    ],
)
def test_only_the_terms_are_taken_over(look, first, hinted, right):
    text, fixes, _ = look(first, hinted, "Asterisk")
    assert text == right
    assert [term for _, term in fixes] == ["Asterisk"]


@pytest.mark.parametrize("hinted", ["Digium, Digium, Digium,", "S'il vous coupe Digium, Digium", "Si vous", "Digium"])
def test_what_hints_invent_or_drop_changes_nothing(look, hinted):
    heard = "Si vous composez 1, 2, 3, 4,"
    assert look(heard, hinted, "Digium")[:2] == (heard, [])


def test_words_that_were_sure_stay(look):
    assert look("as to risk and", "Asterisk and", "Asterisk", sure=0.9, language="en") == ("as to risk and", [], [])


def test_without_terms_nobody_listens_again(look):
    assert look("as to risk", "Asterisk") == ("as to risk", [], [])


def test_a_recogniser_that_fails_the_second_time_changes_nothing(look):
    assert look("as to risk", EngineError("INCOMPLETE_OUTPUT"), "Asterisk")[0] == "as to risk"
