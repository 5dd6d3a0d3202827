"""Who speaks when, in real recordings whose speakers are known."""

import json

import numpy as np
import pytest
import recordings
import sounds

from svc.core.errors import EngineError
from svc.engine.media.audio import RATE
from svc.engine.models.local import speakers, voice_models
from svc.engine.models.local.speakers import Diarization, diarize
from svc.engine.models.local.vad import map_speech


def who(diarization, moment):
    return next((turn.speaker for turn in diarization.turns if turn.start <= moment < turn.end), None)


def confusion(diarization, truth):
    """The share of time with one true speaker that goes to another, speakers matched in order of appearance."""
    names = list(dict.fromkeys(name for *_, name in truth))
    moments = np.arange(0, max(end for _, end, _ in truth), 0.05)
    true = [{names.index(name) for start, end, name in truth if start <= moment < end} for moment in moments]
    pairs = [(who(diarization, moment), one) for moment, one in zip(moments, true, strict=True) if len(one) == 1]
    told = [(guess, one) for guess, one in pairs if guess is not None]
    return sum(guess not in one for guess, one in told) / len(told)


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    audio = sounds.audio(tmp_path_factory.mktemp("call"), sounds.pcm("call.wav"))
    return diarize(audio, map_speech(audio).spans)


def test_two_people_on_the_phone(call):
    assert {turn.speaker for turn in call.turns} == {0, 1}
    assert confusion(call, recordings.turns("call.wav")) < 0.06


def test_turns_are_in_order_and_apart(call):
    assert all(turn.start < turn.end for turn in call.turns)
    assert all(one.end <= other.start + 1e-6 for one, other in zip(call.turns, call.turns[1:], strict=False))


def test_three_voices_in_short_turns(tmp_path):
    jfk, cold, austen = (
        sounds.levelled(sounds.pcm(name)) for name in ("jfk.wav", "cold_corpus.wav", "austen_0870.wav")
    )
    parts = [jfk[: 5 * RATE], cold[2 * RATE : 8 * RATE], austen, jfk[5 * RATE :], cold[14 * RATE : 20 * RATE]]
    audio = sounds.audio(tmp_path, *parts)
    found = diarize(audio, map_speech(audio).spans)
    truth = [
        (start, start + len(part) / RATE, name)
        for start, part, name in zip(sounds.starts(*parts), parts, "abcab", strict=True)
    ]
    assert {turn.speaker for turn in found.turns} == {0, 1, 2}
    assert confusion(found, truth) < 0.05
    assert not found.doubtful


def test_one_voice_stays_one_speaker_even_with_a_cold(tmp_path):
    audio = sounds.audio(tmp_path, sounds.pcm("acoustic_corpus.wav"), sounds.pcm("cold_corpus.wav"))
    found = diarize(audio, map_speech(audio).spans)
    assert {turn.speaker for turn in found.turns} == {0}
    assert found.alike == -1


def test_expected_number_of_speakers(tmp_path):
    audio = sounds.audio(tmp_path, sounds.pcm("jfk.wav"), sounds.pcm("austen_0870.wav"))
    assert len({turn.speaker for turn in diarize(audio, map_speech(audio).spans, expected=1).turns}) == 1


def test_a_recording_is_sampled_in_stretches_that_are_kept(call, tmp_path, monkeypatch):
    monkeypatch.setattr(speakers, "STRETCH", 10.0)
    audio = sounds.audio(tmp_path, sounds.pcm("call.wav"))
    spans, kept, moments = map_speech(audio).spans, {}, []

    def part(name, make):
        found = name in kept
        kept[name] = kept[name] if found else json.loads(json.dumps(make()))
        return kept[name], found

    first = diarize(audio, spans, part=part, tell=moments.append)
    told = len(moments)
    assert sorted(kept) == [f"transcribe/voices/000{index}" for index in range(len(kept))]
    assert moments == sorted(moments)
    assert diarize(audio, spans, part=part, tell=moments.append) == first
    assert len(moments) == told
    assert confusion(first, recordings.turns("call.wav")) < 0.06


def test_speech_of_a_moment(tmp_path):
    audio = sounds.audio(tmp_path, sounds.pcm("jfk.wav")[: RATE // 2])
    assert [turn.speaker for turn in diarize(audio, [(0.1, 0.3)]).turns] == [0]


def test_no_speech_has_no_turns(tmp_path):
    assert diarize(sounds.audio(tmp_path, np.zeros(RATE, "<i2")), []) == Diarization()


def test_silence_called_speech(tmp_path):
    audio = sounds.audio(tmp_path, np.zeros(4 * RATE, "<i2"))
    assert {turn.speaker for turn in diarize(audio, [(0.0, 4.0)]).turns} == {0}


@pytest.mark.parametrize(
    ("name", "value"), [("LIBRARIES", ("nothing.so",)), ("PACKAGE", "no_such_package"), ("MARKER", b"no such marker")]
)
def test_missing_model_is_said(monkeypatch, name, value):
    monkeypatch.setattr(voice_models, name, value)
    with pytest.raises(EngineError, match="TOOL_MISSING"):
        voice_models.load(voice_models.EMBEDDING)


def test_changed_model_is_refused(monkeypatch):
    other = voice_models.Embedded(voice_models.EMBEDDING.size, "0" * 64)
    with pytest.raises(EngineError, match="TOOL_MISSING"):
        voice_models.load(other)
