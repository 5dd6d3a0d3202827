"""A speech to text provider that fails now and then, or for good, with real speech."""

import pytest
import recordings
from stagehand import Scripted, codes, decoded, new_run, passage, repeated, spread

from svc.core.errors import EngineError
from svc.engine.models.local import align
from svc.engine.speech import blocks
from svc.engine.transcribe import transcribe

WHOLE = "And so my fellow Americans, ask not what your country can do for you."
AWAY, KEY, DECLINED = EngineError("NETWORK"), EngineError("AUTH"), EngineError("CONTENT_BLOCKED")


@pytest.fixture
def jfk(tmp_path, monkeypatch):
    monkeypatch.setattr(align, "align", lambda audio, segments: 1.0)
    return decoded(recordings.path("jfk.wav"), tmp_path / "audio")


@pytest.fixture
def long(jfk, tmp_path, monkeypatch):
    """A recording of three blocks."""
    monkeypatch.setattr(blocks, "BLOCK_SECONDS", 40.0)
    monkeypatch.setattr(blocks, "SEARCH_SECONDS", 5.0)
    return repeated(jfk, 10, tmp_path / "long.pcm")


def block():
    return [passage(spread(" ".join(f"word{i}" for i in range(40)), 40.0))]


def parts(run):
    return sorted(path.stem for path in (run.folder / "parts" / "transcribe").glob("0*.json"))


@pytest.mark.parametrize("code", ["AUTH", "QUOTA", "TOOL_MISSING"])
def test_what_concerns_every_block_ends_the_stage_at_once(long, tmp_path, code):
    run, _ = new_run(tmp_path / "run")
    recognizer = Scripted(EngineError(code))
    with pytest.raises(EngineError, match=code):
        transcribe(run, long, recognizer)
    assert len(recognizer.calls) == 1


def test_a_provider_out_of_reach_is_not_asked_for_every_stretch(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    recognizer = Scripted(AWAY, AWAY)
    with pytest.raises(EngineError, match="NETWORK"):
        transcribe(run, repeated(jfk, 6, tmp_path / "long.pcm"), recognizer)
    assert parts(run) == []


def test_a_block_that_fails_for_good_is_a_gap_when_others_are_heard(long, tmp_path):
    run, events = new_run(tmp_path / "run")
    _, coverage = transcribe(run, long, Scripted(block(), AWAY, AWAY, block()))
    assert coverage.unrepaired_windows > 1
    assert "INCOMPLETE_COVERAGE" in codes(run)
    assert [event["index"] for event in events if event["type"] == "chunk"] == [0, 1, 2]
    assert parts(run) == ["0000", "0002"]


def test_another_attempt_hears_only_the_block_that_failed(long, tmp_path):
    run, _ = new_run(tmp_path / "run")
    transcribe(run, long, Scripted(block(), AWAY, AWAY, block()))
    again = Scripted(block())
    _, coverage = transcribe(new_run(tmp_path / "run")[0], long, again)
    assert len(again.calls) == 1
    assert coverage.unrepaired_windows == 0


def test_two_blocks_out_of_reach_in_a_row_end_the_stage(long, tmp_path):
    run, _ = new_run(tmp_path / "run")
    with pytest.raises(EngineError, match="NETWORK"):
        transcribe(run, long, Scripted(block(), AWAY, AWAY, AWAY, AWAY))
    assert parts(run) == ["0000"]


def test_what_is_declined_as_a_whole_is_heard_in_stretches(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    transcript, coverage = transcribe(run, jfk, Scripted(DECLINED, [passage(spread(WHOLE))]))
    assert transcript.text == WHOLE
    assert coverage.repaired_windows == 1


def test_a_key_rejected_later_on_ends_the_stage_too(jfk, tmp_path):
    run, _ = new_run(tmp_path / "run")
    with pytest.raises(EngineError, match="AUTH"):
        transcribe(run, jfk, Scripted([passage(spread("And so", 4.0))], KEY))


def test_an_unknown_language_is_judged_again_by_another_attempt(jfk, tmp_path, monkeypatch):
    deaf = Scripted(DECLINED, DECLINED)
    monkeypatch.setattr(deaf, "languages", lambda samples: {})
    with pytest.raises(EngineError, match="CONTENT_BLOCKED"):
        transcribe(new_run(tmp_path / "run")[0], jfk, deaf)
    transcript, _ = transcribe(new_run(tmp_path / "run")[0], jfk, Scripted([passage(spread(WHOLE))]))
    assert transcript.language == "en"
