import numpy as np
import pytest
import recordings
from stagehand import Scripted, Writer, codes, decoded, new_run, passage, spread, words

from svc.core.errors import EngineError
from svc.engine.media.audio import RATE, Audio
from svc.engine.request import Options
from svc.engine.speech.level import level
from svc.engine.speech.second_look import look_again
from svc.engine.transcribe import transcribe


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
    checked = look_again(recognizer, audio, words("Yes.") + doubtful("I heard of deep.", 4), "en")
    assert texts(checked) == ["Yes.", "I", "heard", "a", "beep."]
    assert recognizer.calls == [{"language": "en", "vocabulary": (), "effort": "wide"}]


def test_a_second_look_that_lost_words_changes_nothing(audio):
    recognizer = Scripted([passage(words("A beep.", 0.2))])
    assert texts(look_again(recognizer, audio, doubtful("I heard of deep."), "en")) == ["I", "heard", "of", "deep."]


def test_a_guess_that_is_no_surer_changes_nothing(audio):
    checked = look_again(Scripted([passage(doubtful("I hurt a deep."))]), audio, doubtful("I heard of deep."), "en")
    assert texts(checked) == ["I", "heard", "of", "deep."]


def test_what_is_sure_is_not_heard_again(audio):
    recognizer = Scripted()
    assert texts(look_again(recognizer, audio, words("All is well."), "en")) == ["All", "is", "well."]
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
    assert level(options) == ran


HEARD = recordings.text("jfk.wav").replace("Americans", "Amerrycans")


@pytest.fixture
def proofread(tmp_path):
    """Transcribes HEARD with this model and these options; answers with the transcript and the run."""

    def proofread(writer, **options):
        audio = decoded(recordings.path("jfk.wav"), tmp_path / "audio")
        run, _ = new_run(tmp_path / "run", **options)
        transcript, _ = transcribe(run, audio, Scripted([passage(spread(HEARD))]), writer)
        return transcript, run

    return proofread


def corrections(*texts):
    return {"corrections": [{"number": number, "text": text} for number, text in enumerate(texts, 1)]}


def test_a_language_model_proofreads_when_there_is_one(proofread):
    right = HEARD.replace("Amerrycans", "Americans")
    transcript, run = proofread(Writer(corrections(right)), vocabulary=("Americans",))
    assert (transcript.text, transcript.proofread) == (right, "full")
    assert transcript.glossary_fixes == [{"from": "Amerrycans", "to": "Americans", "count": 1}]
    assert run.warnings == []


def test_a_rejected_correction_comes_with_a_warning(proofread):
    transcript, run = proofread(Writer(corrections("Something else altogether was said here.")), proofread="full")
    assert (transcript.text, transcript.proofread) == (HEARD, "none")
    assert codes(run) == ["PROOFREAD_BATCH_REJECTED"]
    assert run.warnings[0]["data"] == {"batches": 1}


def test_where_every_correction_is_rejected_terms_are_known_by_their_sound(proofread):
    rewritten = Writer(corrections("Something else altogether was said here."))
    transcript, _ = proofread(rewritten, vocabulary=("Americans",))
    assert ("my fellow Americans" in transcript.text, transcript.proofread) == (True, "terms")


def test_without_a_language_model_terms_are_known_by_their_sound(proofread):
    transcript, _ = proofread(None, proofread="terms", vocabulary=("Americans",))
    assert transcript.glossary_fixes == [{"from": "Amerrycans", "to": "Americans", "count": 1}]
    assert transcript.proofread == "terms"


@pytest.mark.parametrize("code", ["NETWORK", "AUTH"])
def test_a_language_model_that_cannot_be_asked_is_done_without(proofread, code):
    transcript, _ = proofread(Writer(EngineError(code)), vocabulary=("Americans",))
    assert "Americans" in transcript.text
    assert transcript.proofread == "full"


def test_nobody_is_asked_when_proofreading_is_off(proofread):
    writer = Writer()
    transcript, _ = proofread(writer, proofread=False, vocabulary=("Americans",))
    assert (transcript.text, transcript.proofread, writer.asked) == (HEARD, "none", [])
