"""What the stage does where the recogniser fails, with real speech and a scripted recogniser."""

import pytest
import recordings
from stagehand import Scripted, codes, decoded, new_run, passage, repeated, spread

from svc.core.errors import EngineError
from svc.engine.models.local import align
from svc.engine.transcribe import transcribe

NOT_HEARD = EngineError("INCOMPLETE_OUTPUT")
WHOLE = "And so my fellow Americans, ask not what your country can do for you."


@pytest.fixture
def jfk(tmp_path, monkeypatch):
    monkeypatch.setattr(align, "align", lambda audio, segments: 1.0)
    return decoded(recordings.path("jfk.wav"), tmp_path / "audio")


def numbers(count):
    return " ".join(f"word{i}" for i in range(count))


def test_a_hole_is_filled_by_a_second_try(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    recognizer = Scripted([passage(spread("And so my fellow", 4.0))], [passage(spread("ask not what", 7.0))])
    transcript, coverage = transcribe(run, jfk, recognizer)
    assert transcript.text.endswith("ask not what")
    assert (coverage.repaired_windows, coverage.unrepaired_windows, coverage.gaps) == (1, 0, [])


def test_speech_is_heard_without_hints(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run", vocabulary=("Americans",))
    recognizer = Scripted([passage(spread("And so", 4.0))], [passage(spread("ask not what", 7.0))])
    transcribe(run, jfk, recognizer)
    assert [(call["vocabulary"], call["effort"]) for call in recognizer.calls] == [
        ((), "usual"),
        ((), "again"),
    ]


def test_what_stays_open_is_a_gap_with_a_warning(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    doubtful = passage(spread("mumble", 7.0), logprob=-3.0)
    _, coverage = transcribe(run, jfk, Scripted([passage(spread("And so my fellow", 4.0))], [doubtful]))
    assert coverage.unrepaired_windows == 1
    assert coverage.gaps
    assert coverage.gaps[0][0] > 3
    assert codes(run) == ["INCOMPLETE_COVERAGE"]


def test_a_failing_block_is_tried_again(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    transcript, coverage = transcribe(run, jfk, Scripted(NOT_HEARD, [passage(spread(WHOLE))]))
    assert transcript.text == WHOLE
    assert coverage.repaired_windows == 1


def test_a_recording_that_cannot_be_heard_at_all_fails(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    with pytest.raises(EngineError, match="INCOMPLETE_OUTPUT"):
        transcribe(run, jfk, Scripted(NOT_HEARD, NOT_HEARD))


def test_a_second_try_is_told_and_counted(jfk, tmp_path):
    run, events = new_run(tmp_path / "run")
    _, coverage = transcribe(run, jfk, Scripted(NOT_HEARD, [passage(spread(WHOLE))]))
    (retry,) = [event for event in events if event["type"] == "retry"]
    assert (retry["stage"], retry["attempt"], retry["delayMs"]) == ("transcribe", 1, 0)
    assert (retry["code"], coverage.retries) == ("INCOMPLETE_OUTPUT", 1)
    assert "0.4 and 10.6" in retry["message"]


def test_speech_that_both_tries_call_silence_is_no_gap(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    silence = [passage(spread("Thank you."), logprob=-0.9, no_speech=0.9)]
    transcript, coverage = transcribe(run, jfk, Scripted(silence, silence))
    assert transcript is None
    assert coverage.gaps == []
    assert codes(run) == ["NO_SPEECH_DETECTED"]


def test_no_answer_to_clear_speech_is_not_silence(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    with pytest.raises(EngineError, match="clearly speaks"):
        transcribe(run, jfk, Scripted([], []))
    assert not (run.folder / "parts" / "transcribe" / "0000.json").exists()


def test_clear_speech_without_an_answer_is_a_gap_beside_other_words(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    _, coverage = transcribe(run, jfk, Scripted([passage(spread("And so my fellow", 4.0))], []))
    assert (coverage.unrepaired_windows, codes(run)) == (1, ["INCOMPLETE_COVERAGE"])
    assert coverage.speech_seconds > 7


def test_times_past_the_end_are_pulled_back_with_a_warning(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    transcript, _ = transcribe(run, jfk, Scripted([passage(spread(WHOLE, 14.0))]))
    assert transcript.segments[-1].end <= jfk.seconds
    assert codes(run) == ["DURATION_CLAMPED"]


def test_a_long_recording_is_heard_in_blocks(jfk, tmp_path):
    run, events = new_run(tmp_path / "run")
    recognizer = Scripted(*([passage(spread(numbers(60), 300.0, start=1.0))] for _ in range(2)))
    transcript, _ = transcribe(run, repeated(jfk, 50, tmp_path / "long.pcm"), recognizer)
    chunks = [event for event in events if event["type"] == "chunk"]
    assert [(chunk["index"], chunk["count"]) for chunk in chunks] == [(0, 2), (1, 2)]
    assert chunks[0]["end"] == chunks[1]["start"]
    assert [call["effort"] for call in recognizer.calls] == ["usual", "usual"]
    assert transcript.segments[-1].end > chunks[1]["start"] + 10


def test_a_finished_block_is_not_recognised_again(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    first, _ = transcribe(run, jfk, Scripted([passage(spread(WHOLE))]))
    again = Scripted()
    second, _ = transcribe(new_run(tmp_path / "run")[0], jfk, again)
    assert second == first
    assert again.calls == []
