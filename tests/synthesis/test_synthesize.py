import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from talks import BREAD, CHINESE, GERMAN, JAPANESE, STARS, THAI, caption_lines, digest, sentences_of, timed

from svc.engine.synthesis.language import Language
from svc.engine.synthesis.moments import kind_of
from svc.engine.synthesis.sentences import sentences

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "context.json").read_text("utf-8"))
LINES = sentences_of(BREAD) + sentences_of(STARS)
TEXT = " ".join((BREAD + STARS).split())


def plain(text):
    return re.sub(r"[\W_]+", " ", text).lower().strip()


def shown_sentences(result):
    summary, chapters = result["summary"], result["chapters"]
    return [*summary["bullets"], *(chapter["summary"] for chapter in chapters if "summary" in chapter)]


@pytest.mark.parametrize("lines", [LINES, caption_lines(TEXT), [], ["Hello there."], ["?!"], ["..."]])
def test_the_result_has_the_shape_of_the_contract(lines):
    Draft202012Validator(SCHEMA["properties"]["synthesis"]).validate(digest(lines))


def test_everything_shown_was_said():
    result = digest(LINES)
    shown = [*shown_sentences(result), *(moment["label"] for moment in result["keyMoments"])]
    assert shown
    assert all(plain(text) in plain(TEXT) for text in shown)
    assert all(plain(sentence) in plain(TEXT) for sentence in sentences_of(result["summary"]["tldr"]))


def test_the_short_answer_is_not_repeated_in_the_bullets():
    summary = digest(LINES)["summary"]
    assert not any(bullet in summary["tldr"] for bullet in summary["bullets"])


def test_bullets_stand_in_the_order_of_the_talk():
    bullets = digest(LINES)["summary"]["bullets"]
    places = [plain(TEXT).index(plain(bullet)) for bullet in bullets]
    assert places == sorted(places)
    assert len(set(bullets)) == len(bullets) > 2


def test_brief_has_title_short_answer_bullets_and_topics_only():
    result = digest(LINES, detail="brief")
    assert result["title"] and result["summary"]["tldr"] and result["summary"]["bullets"] and result["topics"]
    assert "long" not in result["summary"]
    assert (result["chapters"], result["keyMoments"], result["entities"]) == ([], [], [])


def test_captions_without_punctuation_read_as_sentences():
    result = digest(caption_lines(TEXT))
    for text in shown_sentences(result):
        assert text[0].isupper()
        assert plain(text) in plain(TEXT)


def test_housekeeping_is_not_summarized():
    result = digest(LINES)
    assert not any("Subscribe" in text for text in shown_sentences(result))


def test_one_sentence_is_its_own_summary():
    result = digest(["Hello my dear friend."])
    assert result["summary"] == {"tldr": "Hello my dear friend.", "bullets": []}
    assert result["keyMoments"] == []


def test_silence_has_an_empty_summary():
    result = digest([], meta={"title": "VID_2023.mp4"})
    assert (result["title"], result["language"], result["summary"]["tldr"]) == ("VID_2023.mp4", "en", "")


def test_the_language_is_found_out_when_nobody_knows_it():
    assert digest(sentences_of(GERMAN), language=None)["language"] == "de"


def test_the_language_of_the_transcript_is_believed():
    assert digest(LINES, language="en-GB")["language"] == "en-GB"


def test_too_little_text_has_no_language():
    assert digest(["Ok"], language=None)["language"] == "und"


def test_german_is_summarized_in_german():
    result = digest(sentences_of(GERMAN), language="de")
    assert "Apfelbäume" in result["topics"]
    assert not any(bullet.startswith("Äh") for bullet in result["summary"]["bullets"])


@pytest.mark.parametrize(
    ("code", "text", "topic"), [("zh", CHINESE, "医院"), ("ja", JAPANESE, "分析"), ("th", THAI, None)]
)
def test_scripts_without_spaces_have_topics_and_a_summary(code, text, topic):
    result = digest(sentences_of(text), language=code)
    shown = [*sentences_of(result["summary"]["tldr"]), *result["summary"]["bullets"]]
    assert all(plain(sentence) in plain(text) for sentence in shown)
    assert topic is None or any(topic in found for found in result["topics"])


def test_marks_of_indic_scripts_belong_to_their_words():
    assert Language("hi").words("सभी मनुष्यों को") == ["सभी", "मनुष्यों", "को"]


def test_french_articles_are_words_of_their_own():
    assert Language("fr").words("l’homme et l'école") == ["l’", "homme", "et", "l'", "école"]


def test_key_moments_lie_on_segments():
    segments, moments = timed(LINES), digest(LINES)["keyMoments"]
    assert moments
    assert all(moment["time"] == segments[moment["segmentIndex"]].start for moment in moments)
    assert len({moment["segmentIndex"] for moment in moments}) == len(moments)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("We decided to use rye flour for half of the loaves of bread.", "decision"),
        ("Please subscribe to this channel for more nights under the stars.", "cta"),
        ("Let me show you how to fold the dough without tearing it.", "demo"),
        ("As Carl Sagan said, something incredible is waiting to be known.", "quote"),
        ("The dough needs 500 grams of flour and water at 20%.", "claim"),
    ],
)
def test_the_kind_of_a_moment_shows_in_how_it_is_said(sentence, kind):
    language = Language("en")
    assert kind_of(sentences(timed([sentence]), language)[0], language) == kind


def test_telling_moments_come_before_others():
    assert {"claim", "decision"} & {moment["kind"] for moment in digest(LINES)["keyMoments"]}


def test_hours_of_speech_are_summarized_within_bounds():
    result = digest(LINES * 60)
    assert len(result["summary"]["bullets"]) <= 8
    assert len(result["keyMoments"]) <= 15
    assert 2 <= len(result["chapters"]) <= 40
