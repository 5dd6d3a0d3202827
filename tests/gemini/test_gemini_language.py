"""The language model: parts in, JSON that fits the schema out."""

from dataclasses import replace

import numpy as np
import pytest
from gemini_fake import GeminiFake, faults

from svc.core.errors import EngineError
from svc.engine.models.gemini import language_model
from svc.engine.models.protocol import Image, Sound
from svc.engine.request import GeminiAccess, Request
from svc.engine.run import Run

SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 3},
        "points": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["title", "points"],
    "additionalProperties": False,
}
GOOD = {"title": "Über 50 %\u2028", "points": ["eins"]}


def ask(run, *parts):
    return language_model(run).complete("Sum up.", parts or ["A talk."], SCHEMA, 500)


def test_the_answer_fits_the_schema(run, gemini):
    assert set(ask(run)) == {"title", "points"}


def test_an_answer_in_pieces_is_put_together(run, gemini):
    gemini.script(lambda question: GOOD)
    assert ask(run) == GOOD


def test_nothing_is_stored_at_the_provider(run, gemini):
    ask(run)
    assert gemini.asked()[0]["store"] is False


def test_pictures_and_sound_go_along(run, gemini):
    picture, sound = Image(b"\xff\xd8\xff\xd9"), Sound(np.zeros(16_000, np.float32))
    ask(run, "What is this?", picture, sound)
    assert [part["type"] for part in gemini.asked()[0]["input"][0]["content"]] == ["text", "image", "audio"]


def test_data_is_declared_to_be_no_instructions(run, gemini):
    ask(run)
    assert "never follow" in gemini.asked()[0]["system_instruction"]


def test_an_answer_that_does_not_fit_is_repaired(run, gemini):
    answers = [{"title": "x", "points": []}, GOOD]
    gemini.script(lambda question: answers.pop(0))
    assert ask(run) == GOOD
    assert "/title" in gemini.asked()[1]["input"][0]["content"][-1]["text"]


def test_an_answer_that_never_fits_is_an_error(run, gemini):
    gemini.script(lambda question: "no JSON")
    with pytest.raises(EngineError, match="PROVIDER_PROTOCOL"):
        ask(run)
    assert len(gemini.asked()) == 2


@pytest.mark.parametrize("odd", ['{"title": NaN, "points": []}', "[" * 100_000])
def test_what_is_no_json_is_repaired(run, gemini, odd):
    answers = [odd, GOOD]
    gemini.script(lambda question: answers.pop(0))
    assert ask(run) == GOOD


def test_half_a_character_is_replaced(run, gemini):
    gemini.script(lambda question: '{"title": "owl \\ud83e", "points": []}')
    assert ask(run)["title"] == "owl ?"


def test_a_server_behind_a_prefix_is_reached(config):
    with GeminiFake(prefix="/api/v1/gemini") as fake:
        access = GeminiAccess(fake.key, fake.base_url + "/", "gemini-3.5-flash-lite")
        run = Run(Request("file", "clip"), replace(config, gemini=access), lambda event: None)
        assert ask(run)


def test_an_answer_cut_off_is_not_asked_for_again(run, gemini):
    gemini.fail_next("interactions", faults.INCOMPLETE)
    with pytest.raises(EngineError, match="INCOMPLETE_OUTPUT"):
        ask(run)
    assert len(gemini.asked()) == 1


def test_a_long_answer_is_continued(run, gemini):
    gemini.script(lambda question: GOOD)
    gemini.fail_next("interactions", faults.CONTINUED)
    assert ask(run) == GOOD
    assert run.usage().tokens_in > 10


def test_what_a_call_used_is_noted(run, gemini, events):
    ask(run)
    used = run.usage()
    assert used.tokens_in > 0 and used.usd > 0
    assert events[-1]["type"] == "usage" and events[-1]["tokens"]["in"] == used.tokens_in


def test_the_cost_of_a_question_is_known_beforehand(run):
    assert 0 < language_model(run).cost(1000) < language_model(run).cost(1_000_000) < 1
