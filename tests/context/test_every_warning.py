"""Each code of a warning comes from a real cause."""

import json

import pytest

from svc.engine.export import plain, to_markdown
from svc.engine.request import Config, Request
from svc.engine.run import Run
from svc.engine.warnings import codes


def warnings(context):
    return {warning["code"]: warning["data"] for warning in context["warnings"]}


def stored_codes(folder, layer):
    return {warning["code"] for warning in json.loads((folder / f"parts/{layer}.json").read_text())["warnings"]}


def test_speech_that_was_not_heard(made):
    context = made("half_heard_file")
    assert warnings(context)["INCOMPLETE_COVERAGE"]["gaps"] == context["coverage"]["gaps"]
    assert context["coverage"]["ratio"] < 0.9 and context["coverage"]["unrepairedWindows"] == 1


def test_captions_without_ends_have_estimated_times(made):
    assert warnings(made("open_captions_link")) == {"TIMING_APPROX": {"lines": 2}}


def test_what_a_model_wrote_down_has_estimated_times(made):
    context = made("dictated_file")
    assert "TIMING_APPROX" in warnings(context) and context["transcript"]["timing"] == "segment-approx"


def test_voices_on_a_bad_line(made):
    context = made("call_file")
    assert list(warnings(context)) == ["SPEAKER_LABELS_APPROX"] and len(context["transcript"]["speakers"]) == 2


def test_automatic_captions_without_punctuation(made):
    assert "AUTO_CAPTIONS_UNPUNCTUATED" in warnings(made("recognised_link"))


def test_captions_that_a_machine_translated(made):
    context = made("translated_link")
    assert warnings(context)["TRANSLATED_CAPTIONS"] == {"translatedFrom": context["transcript"]["translatedFrom"]}


def test_a_tone_is_no_speech(made):
    context = made("wordless_file")
    assert list(warnings(context)) == ["NO_SPEECH_DETECTED"] and context["transcript"] is None


def test_a_site_that_refuses_the_download(made):
    context = made("refused_link")
    assert {"DOWNLOAD_FALLBACK_URL_DIRECT", "TIMING_APPROX"} <= warnings(context).keys()
    assert (context["transcript"]["origin"], context["visual"]["source"]) == ("llm-url", "youtube-url")


def test_captions_in_another_language_than_asked_for(made):
    assert warnings(made("recognised_link"))["LANGUAGE_MISMATCH"] == {"requested": ["ja"], "detected": "en"}


def test_subtitles_of_a_file_in_another_language_than_asked_for(made):
    assert warnings(made("subtitled_file"))["LANGUAGE_MISMATCH"] == {"requested": ["de"], "detected": "en"}


def test_a_link_that_a_model_read_in_another_language_than_asked_for(made):
    assert warnings(made("refused_link"))["LANGUAGE_MISMATCH"] == {"requested": ["de"], "detected": "en"}


def test_a_proofreader_that_rewrites(made):
    context = made("lecture_file")
    assert list(warnings(context)) == ["PROOFREAD_BATCH_REJECTED"]
    assert context["transcript"]["text"].startswith("And so my fellow Americans")


def test_a_video_that_was_not_written_to_its_end(made):
    context = made("cut_file")
    assert 0 < warnings(context)["VISUAL_TRUNCATED"]["until"] < context["meta"]["durationSeconds"]


def test_captions_of_a_longer_cut(made):
    context = made("late_captions_link")
    assert warnings(context) == {"DURATION_CLAMPED": {"seconds": 7.0}}
    assert context["transcript"]["segments"][-1]["end"] == context["meta"]["durationSeconds"]


def test_every_code_occurs(every_context):
    assert {code for context in every_context.values() for code in warnings(context)} == codes()


def test_the_markdown_tells_of_each_in_words(every_context):
    for context in every_context.values():
        notes = to_markdown(context).partition("## Transcript")[0]
        for warning in context["warnings"]:
            assert f"\n- {plain(warning['message'])}" in notes and warning["code"] not in notes


def test_an_unknown_code_is_refused(tmp_path):
    run = Run(Request("file", "clip"), Config("models", str(tmp_path)), print)
    with pytest.raises(ValueError, match="MAYBE is no code"):
        run.warn("MAYBE", "Perhaps.")


def test_a_layer_keeps_its_own_warnings(made):
    """Whoever uses the stored notes on a picture is told of them, and of nothing else."""
    made("refused_link")
    folder = made.maker.work_folder("refused_link")
    assert stored_codes(folder, "visual") == {"DOWNLOAD_FALLBACK_URL_DIRECT", "TIMING_APPROX"}
    made("lecture_file")
    folder = made.maker.work_folder("lecture_file")
    assert stored_codes(folder, "audio") == {"PROOFREAD_BATCH_REJECTED"} and stored_codes(folder, "visual") == set()
