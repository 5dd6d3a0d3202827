import numpy as np
import pytest
from stagehand import Scripted, passage, words

from svc.engine.media.audio import RATE, Audio
from svc.engine.request import Options
from svc.engine.speech.proofreading import proofread
from svc.engine.transcribe import proofreading


@pytest.fixture
def audio(tmp_path):
    np.zeros(20 * RATE, "<i2").tofile(tmp_path / "quiet.pcm")
    return Audio(tmp_path / "quiet.pcm", 20 * RATE)


def doubtful(text, start=0.0):
    found = words(text, start)
    for word in found:
        word.confidence = 0.3
    return found


def texts(found):
    return [word.text for word in found]


def test_a_doubtful_sentence_is_replaced_by_a_surer_one(audio):
    recognizer = Scripted([passage(words("I heard a beep.", 0.2))])
    checked = proofread(recognizer, audio, words("Yes.") + doubtful("I heard of deep.", 4), "en", ("beep",))
    assert texts(checked) == ["Yes.", "I", "heard", "a", "beep."]
    assert recognizer.calls == [{"language": "en", "vocabulary": ("beep",), "effort": "wide"}]


def test_a_guess_that_is_no_surer_changes_nothing(audio):
    checked = proofread(Scripted([passage(doubtful("I hurt a deep."))]), audio, doubtful("I heard of deep."), "en", ())
    assert texts(checked) == ["I", "heard", "of", "deep."]


def test_what_is_sure_is_not_heard_again(audio):
    recognizer = Scripted()
    assert texts(proofread(recognizer, audio, words("All is well."), "en", ())) == ["All", "is", "well."]
    assert recognizer.calls == []


@pytest.mark.parametrize(
    ("options", "ran"),
    [
        (Options(), "none"),
        (Options(vocabulary=("Asterisk",)), "full"),
        (Options(proofread="full"), "full"),
        (Options(proofread=True), "full"),
        (Options(proofread=False, vocabulary=("Asterisk",)), "none"),
        (Options(proofread="terms", vocabulary=("Asterisk",)), "terms"),
        (Options(proofread="terms"), "none"),
    ],
)
def test_which_proofreading_runs(options, ran):
    assert proofreading(options) == ran
