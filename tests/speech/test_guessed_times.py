"""Words whose times a provider did not know."""

import pytest
import recordings
from stagehand import Scripted, codes, decoded, new_run, passage

from svc.core.errors import EngineError
from svc.engine.speech.spoken import listen_for_language
from svc.engine.speech.text import spread, tokens
from svc.engine.transcribe import transcribe


@pytest.fixture
def jfk(tmp_path):
    return decoded(recordings.path("jfk.wav"), tmp_path / "audio")


def untimed(text, seconds=11.0):
    """A passage as of a provider that gives text alone: no word times, no confidence."""
    return [passage(spread(tokens(text), 0.0, seconds))]


def test_english_words_get_their_times_from_the_sound(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run", diarize=True)
    transcript, _ = transcribe(run, jfk, Scripted(untimed(recordings.text("jfk.wav"))))
    found = [word for segment in transcript.segments for word in segment.words]
    assert not any(word.synthetic for word in found)
    assert [word.start for word in found if word.text.startswith("ask")] == pytest.approx([3.3, 8.2], abs=0.3)
    assert (transcript.timing, transcript.diarized, run.warnings) == ("word", True, [])


def test_times_that_stay_guesses_are_called_so(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run", diarize=True)
    recognizer = Scripted(untimed("Et alors, mes chers compatriotes américains, ne demandez pas."), language="fr")
    transcript, _ = transcribe(run, jfk, recognizer)
    assert (transcript.timing, transcript.diarized) == ("segment-approx", False)
    assert not any(segment.speaker for segment in transcript.segments)
    assert codes(run) == ["TIMING_APPROX"]


def test_words_without_confidence_are_proofread_too(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run", proofread="full", vocabulary=("Amerikans",))
    transcript, _ = transcribe(run, jfk, Scripted(untimed(recordings.text("jfk.wav"))))
    assert transcript.text == recordings.text("jfk.wav")
    assert transcript.proofread == "full"


class Vague(Scripted):
    """A provider whose script is what it says of the language."""

    def languages(self, samples):
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize(
    ("told", "wanted", "language"),
    [
        ({}, (), None),
        ({}, ("de",), "de"),
        ({"de": 0.0, "en": 0.0}, (), None),
        ({"fr": 0.95}, ("de", "fr"), "fr"),
        ({"fr": 0.95}, ("de",), "fr"),
    ],
)
def test_a_provider_may_name_few_languages_or_none(jfk, told, wanted, language):
    assert listen_for_language(Vague(told), jfk, [(0.0, 11.0)], wanted).language == language


def test_a_window_whose_language_is_not_told_is_left_out(jfk):
    assert listen_for_language(Vague(EngineError("CONTENT_BLOCKED")), jfk, [(0.0, 11.0)], ()).language is None


@pytest.mark.parametrize("code", ["NETWORK", "AUTH"])
def test_a_provider_that_cannot_be_asked_for_the_language_is_an_error(jfk, code):
    with pytest.raises(EngineError, match=code):
        listen_for_language(Vague(EngineError(code)), jfk, [(0.0, 11.0)], ())
