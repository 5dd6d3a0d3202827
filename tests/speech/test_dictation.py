"""A language model that writes down what recognition left without words."""

import pytest
import recordings
from stagehand import Scripted, Writer, codes, decoded, new_run, passage, spread

from svc.core.errors import EngineError
from svc.engine.models.local import align
from svc.engine.models.protocol import Sound
from svc.engine.transcribe import transcribe

BEGIN = "And so my fellow Americans, ask not what your country"
END = "ask what you can do."
ON_FIRST, ON_SECOND = EngineError("CONTENT_BLOCKED"), EngineError("CONTENT_BLOCKED")


@pytest.fixture
def jfk(tmp_path, monkeypatch):
    monkeypatch.setattr(align, "align", lambda audio, segments: 1.0)
    return decoded(recordings.path("jfk.wav"), tmp_path / "audio")


@pytest.fixture
def hear(jfk, tmp_path):
    """Transcribes with these answers of recogniser and model."""

    def hear(recognizer, writer):
        run, _ = new_run(tmp_path / "run", diarize=True)
        return *transcribe(run, jfk, recognizer, writer), codes(run)

    return hear


def half_heard():
    return Scripted([passage(spread(BEGIN, 7.0))], ON_SECOND)


def test_speech_without_words_is_written_down_by_the_model(hear):
    writer = Writer({"text": END})
    transcript, coverage, warned = hear(half_heard(), writer)
    assert transcript.text == f"{BEGIN} {END}"
    assert (coverage.repaired_windows, coverage.gaps) == (1, [])
    assert isinstance(writer.asked[0][1][0], Sound)
    assert warned == ["TIMING_APPROX"]


def test_its_words_have_guessed_times_within_the_speech(hear):
    transcript, _, _ = hear(half_heard(), Writer({"text": END}))
    written = [word for segment in transcript.segments for word in segment.words if word.synthetic]
    assert len(written) == len(END.split())
    assert 7 < written[0].start < written[-1].end <= 10.7


def test_a_few_of_its_words_leave_the_transcript_recognised(hear):
    transcript, _, _ = hear(half_heard(), Writer({"text": END}))
    assert (transcript.origin, transcript.timing, transcript.model) == ("asr", "word", "scripted")


def test_mostly_its_words_make_the_transcript_the_models(hear):
    transcript, _, warned = hear(Scripted(ON_FIRST, ON_SECOND), Writer({"text": f"{BEGIN} {END}"}))
    assert (transcript.origin, transcript.timing, transcript.model) == ("llm-audio", "segment-approx", "writer")
    assert not transcript.diarized
    assert "TIMING_APPROX" in warned


@pytest.mark.parametrize(
    "answer",
    [
        EngineError("INPUT_UNSUPPORTED"),
        EngineError("SERVER"),
        {"text": ""},
        {"text": "Thanks for watching!" * 40},
        {"text": "[music playing]"},
    ],
)
def test_without_a_usable_answer_it_stays_a_gap(hear, answer):
    _, coverage, warned = hear(half_heard(), Writer(answer))
    assert coverage.unrepaired_windows == 1
    assert warned == ["INCOMPLETE_COVERAGE"]


def test_its_loops_are_cut(hear):
    transcript, _, _ = hear(half_heard(), Writer({"text": "do for you, " * 8}))
    assert transcript.text.count("do for you") == 1


def test_a_model_that_takes_no_sound_is_asked_once(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    writer = Writer(EngineError("INPUT_UNSUPPORTED"))
    middle = passage(spread("fellow Americans", 2.0, start=4.0))
    recognizer = Scripted([middle], ON_FIRST, ON_SECOND)
    transcribe(run, jfk, recognizer, writer)
    assert (len(recognizer.calls), len(writer.asked)) == (3, 1)


def test_it_does_not_stand_in_for_a_provider_that_is_down(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    writer = Writer()
    with pytest.raises(EngineError, match="NETWORK"):
        transcribe(run, jfk, Scripted(EngineError("NETWORK"), EngineError("NETWORK")), writer)
    assert writer.asked == []
