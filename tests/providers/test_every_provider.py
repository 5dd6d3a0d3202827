"""What a Context has to be like, whoever hears, watches and writes. Each is checked against its schema when made."""

import re
from difflib import SequenceMatcher

import pytest
import recordings

from svc.core.errors import EngineError

MODELS = {
    "local": {"asr": "whisper-base", "visual": "rapidocr", "synthesis": "extractive-1"},
    "gemini": dict.fromkeys(("visual", "synthesis"), "gemini-3.5-flash-lite") | {"asr": "gemini-3.5-transcribe"},
    "openai": dict.fromkeys(("visual", "synthesis"), "gpt-fake") | {"asr": "whisper-fake"},
}
FEW_WRONG, NEAR, MOST_NEAR = 0.2, 0.2, 0.85


def heard(engine, talk):
    return engine.context(talk.path, "audio", include_words=True, diarize=True)


def plain(text):
    return re.sub(r"[^a-z0-9' ]", "", text.lower())


def same_words(context, talk):
    """Pairs of a word of the transcript and the true one."""
    found, true = context["transcript"]["words"], [w for w in talk.words if plain(w[0])]
    matcher = SequenceMatcher(None, [plain(w["text"]) for w in found], [plain(w[0]) for w in true], autojunk=False)
    return [(found[a + i], true[b + i]) for a, b, size in matcher.get_matching_blocks() for i in range(size)]


def test_what_is_said_is_written_down(engine, talk):
    pairs = same_words(heard(engine, talk), talk)
    assert len(pairs) >= (1 - FEW_WRONG) * len(talk.words)


def test_words_stand_at_their_times(engine, talk):
    pairs = same_words(heard(engine, talk), talk)
    near = sum(abs(word["start"] - start) <= NEAR for word, (_, start, _) in pairs)
    assert near >= MOST_NEAR * len(pairs)


def test_words_and_segments_agree(engine, talk):
    transcript = heard(engine, talk)["transcript"]
    words = transcript["words"]
    for segment in transcript["segments"]:
        first, last = segment["wordRange"]
        assert " ".join(word["text"] for word in words[first:last]) == segment["text"]
    assert all(one["start"] <= other["start"] for one, other in zip(words, words[1:], strict=False))


def test_two_voices_are_two_speakers(engine, dialogue):
    transcript = heard(engine, dialogue)["transcript"]
    turns = [(segment["start"] < dialogue.turn - 0.5, segment["speaker"]) for segment in transcript["segments"]]
    assert transcript["diarized"] and set(turns) == {(True, "S1"), (False, "S2")}


def test_one_voice_is_one_speaker(engine, talk):
    speakers = heard(engine, talk)["transcript"]["speakers"]
    assert [speaker["id"] for speaker in speakers] == ["S1"]


def test_all_speech_is_covered(engine, talk):
    coverage = heard(engine, talk)["coverage"]
    assert coverage["ratio"] >= 0.9 and coverage["unrepairedWindows"] == 0


def test_chapters_and_moments_begin_at_segments(engine, talk):
    context = heard(engine, talk)
    starts = [segment["start"] for segment in context["transcript"]["segments"]]
    synthesis = context["synthesis"]
    assert synthesis["chapters"] and synthesis["summary"]["tldr"] and synthesis["title"]
    assert all(starts[chapter["anchor"]] == chapter["start"] for chapter in synthesis["chapters"])
    assert all(starts[moment["segmentIndex"]] == moment["time"] for moment in synthesis["keyMoments"])


def test_entities_are_counted_in_the_text(engine, talk):
    context = heard(engine, talk)
    text = context["transcript"]["text"].casefold()
    assert all(entity["name"].casefold() in text for entity in context["synthesis"]["entities"])


def test_each_layer_names_its_model(engine, lecture):
    context = engine.context(lecture, "full")
    assert context["produced"]["models"].keys() == MODELS[engine.provider].keys()
    for role, name in MODELS[engine.provider].items():
        assert context["produced"]["models"][role].startswith(name)


def test_a_picture_is_described_within_its_length(engine, lecture):
    context = engine.context(lecture, "full")
    visual, end = context["visual"], context["meta"]["durationSeconds"]
    assert visual["value"] in ("low", "high") and visual["scenes"]
    assert all(0 <= scene["start"] < scene["end"] <= end for scene in visual["scenes"])
    assert all(0 <= line["first"] <= line["last"] <= end for line in visual["onScreenText"])


def test_scenes_are_no_more_than_wanted(engine, lecture):
    context = engine.context(lecture, "visual", max_scenes=1, fps=0.5)
    assert len(context["visual"]["scenes"]) == 1 and context["visual"]["fps"] == 0.5


def test_a_picture_alone_has_a_summary_too(engine, lecture):
    context = engine.context(lecture, "visual")
    assert context["transcript"] is None and context["synthesis"]["summary"]["tldr"]


def test_every_layer_is_accounted_for(engine, lecture):
    context = engine.context(lecture, "full")
    tiers, usage = context["tiers"], context["usage"]
    assert [(tier["tier"], tier["status"]) for tier in tiers] == [
        (name, "ok") for name in ("audio", "visual", "synthesis")
    ]
    assert usage["audioSeconds"] > 30 and usage["videoSeconds"] > 30
    assert (usage["tokens"]["in"] > 0) == (engine.provider != "local")


def test_no_speech_is_no_failure(engine, silence):
    context = engine.context(silence, "audio")
    assert context["transcript"] is None
    assert [warning["code"] for warning in context["warnings"]] == ["NO_SPEECH_DETECTED"]


def test_another_language_than_asked_for_is_told(engine, talk):
    context = engine.context(talk.path, "audio", ("fr",), detail="transcript", diarize=False)
    assert "LANGUAGE_MISMATCH" in [warning["code"] for warning in context["warnings"]]


def test_detail_is_kept_to(engine, talk):
    none = engine.context(talk.path, "audio", detail="transcript", diarize=False)
    brief = engine.context(talk.path, "audio", detail="brief", diarize=False)["synthesis"]
    assert none["synthesis"] is None and none["transcript"]["diarized"] is False
    assert brief["title"] and brief["summary"]["tldr"] and brief["topics"]
    assert (brief["chapters"], brief["keyMoments"], brief["entities"]) == ([], [], [])


def test_a_proofread_with_a_vocabulary_keeps_the_words_in_place(engine, talk):
    context = engine.context(talk.path, "audio", vocabulary=("acoustic corpus",), include_words=True)
    rejected = "PROOFREAD_BATCH_REJECTED" in [warning["code"] for warning in context["warnings"]]
    assert context["transcript"]["proofread"] == ("terms" if rejected else "full")
    assert len(same_words(context, talk)) >= (1 - FEW_WRONG) * len(talk.words)


def test_an_answer_cites_what_was_said(engine, talk):
    context = heard(engine, talk)
    answer = engine.ask("What is this about?", context)
    said = {(s["start"], s["end"], s["text"]) for s in context["transcript"]["segments"]}
    assert answer["answer"]
    assert {(c["start"], c["end"], c["text"]) for c in answer["citations"]} <= said


def test_a_run_goes_on_from_what_is_finished(engine, talk):
    name = "again"
    first = engine.run(talk.path, "audio", name, diarize=False)
    (engine.folder / name / "parts" / "audio.json").unlink()
    again = engine.run(talk.path, "audio", name, diarize=False)
    chunks = [event["cached"] for event in engine.events if event["type"] == "chunk"]
    assert chunks and all(chunks)
    assert again["transcript"] == first["transcript"] and again["usage"]["tokens"] == first["usage"]["tokens"]


def test_damaged_media_fails_alike(engine, tmp_path):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(recordings.path("silent_video.mp4").read_bytes()[:600])
    with pytest.raises(EngineError, match="INPUT_CORRUPT"):
        engine.run(broken, "full", "broken")
