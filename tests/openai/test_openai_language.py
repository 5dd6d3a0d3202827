import io
import logging
from dataclasses import replace

import numpy as np
import pytest
from openai_fake import LLAMA_CPP, REASONING, VLLM, faults
from PIL import Image as Picture

from svc.core.errors import EngineError
from svc.engine.models import upstream
from svc.engine.models.openai import language_model
from svc.engine.models.protocol import Image, Sound

SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "numbers": {"type": "array", "items": {"type": "integer"}}},
    "required": ["title", "numbers"],
    "additionalProperties": False,
}
GOOD = '{"title": "Times", "numbers": [1]}'


def ask(model, *parts, most_tokens=500):
    return model.complete("Summarise.", parts or ["It was the best of times."], SCHEMA, most_tokens)


def jpeg():
    file = io.BytesIO()
    Picture.new("RGB", (64, 64), "white").save(file, "JPEG")
    return Image(file.getvalue())


def forms(server):
    return [body.get("response_format", {}).get("type") for body in server.asked()]


def failing(model, code):
    with pytest.raises(EngineError) as caught:
        ask(model)
    assert caught.value.code == code
    return caught.value


def test_an_answer_fits_its_schema(model):
    assert ask(model) == {"title": "It was the best of times.", "numbers": [1, 2]}


def test_instructions_and_text_are_sent_apart(model, openai_server):
    ask(model, "One.", "Two.")
    system, user = openai_server.asked()[0]["messages"]
    assert system["role"] == "system" and system["content"].startswith("Summarise.")
    assert user == {"role": "user", "content": "One.\n\nTwo."}


def test_pictures_are_sent_in_their_place(model, openai_server):
    ask(model, "Picture 1:", jpeg(), "Picture 2:", jpeg())
    kinds = [part["type"] for part in openai_server.asked()[0]["messages"][1]["content"]]
    assert kinds == ["text", "image_url"] * 2


def test_tokens_are_counted_and_have_no_price(model, run):
    ask(model)
    usage = run.usage()
    assert usage.tokens_in > 0 and usage.tokens_out > 0 and usage.usd is None


def test_thoughts_are_counted_apart_and_not_read(model, openai_server, run):
    openai_server.knows = replace(openai_server.knows, thinks=True)
    assert ask(model)["numbers"] == [1, 2]
    usage = run.usage()
    assert usage.thought > 0 and usage.tokens_out > 0


@pytest.mark.parametrize("said", ["thinking { } aloud</think>" + GOOD, f"```json\n{GOOD}\n```", f"Here: {GOOD} Done."])
def test_what_surrounds_the_json_is_left_out(model, openai_server, said):
    openai_server.fail_next("chat", faults.says(said))
    assert ask(model)["title"] == "Times"


@pytest.mark.parametrize("status", [400, 404, 422, 500])
@pytest.mark.parametrize("shape", ["openai", "vllm", "fastapi", "ollama"])
def test_a_server_without_schemas_gets_one_in_an_object(model, openai_server, pauses, status, shape):
    openai_server.knows = replace(LLAMA_CPP, status=status, shape=shape)
    assert ask(model)["numbers"] == [1, 2]
    assert forms(openai_server) == ["json_schema", "json_object"]
    assert pauses == []


def test_a_server_that_takes_no_schema_gets_it_in_words(model, openai_server):
    openai_server.knows = replace(openai_server.knows, json_schema=False)
    openai_server.fail_next("chat", faults.Fault(), faults.Fault(), faults.says(GOOD))
    assert ask(model)["title"] == "Times"
    assert "schema" not in openai_server.asked()[-1]["response_format"]


def test_a_server_without_json_is_asked_plainly(model, openai_server):
    openai_server.knows = replace(openai_server.knows, json_schema=False, json_object=False)
    assert ask(model)["numbers"] == [1, 2]
    assert forms(openai_server)[-1] is None


def test_what_a_server_cannot_do_is_asked_once(model, openai_server):
    openai_server.knows = LLAMA_CPP
    ask(model)
    ask(model)
    assert forms(openai_server) == ["json_schema", "json_object", "json_object"]


def test_a_model_that_names_its_limit_otherwise_is_asked_so(model, openai_server):
    openai_server.knows = REASONING
    ask(model, most_tokens=77)
    assert openai_server.asked()[-1]["max_completion_tokens"] == 77


def test_a_limit_above_the_models_own_is_left_out(model, openai_server):
    told = "'max_tokens' is too large: 8000. This model's maximum context length is 4096 tokens."
    openai_server.fail_next("chat", faults.error(400, told))
    ask(model)
    assert not {"max_tokens", "max_completion_tokens"} & set(openai_server.asked()[-1])


def test_an_answer_that_does_not_fit_is_repaired_once(model, openai_server):
    openai_server.fail_next("chat", faults.says('{"title": 5, "numbers": []}'))
    assert ask(model)["numbers"] == [1, 2]
    assert "title" in openai_server.asked()[-1]["messages"][-1]["content"]


DEEP = '{"a":' + "[" * 1990


@pytest.mark.parametrize("said", ["", "no JSON", '{"title": "a"}', DEEP, '{"title": "a", "numbers": [NaN]}'])
def test_an_answer_that_never_fits_is_a_fault_of_the_provider(model, openai_server, said):
    openai_server.script(lambda question: said)
    failing(model, "PROVIDER_PROTOCOL")
    assert len(openai_server.asked()) == 2


def test_half_a_character_does_not_break_the_result(model, openai_server):
    openai_server.fail_next("chat", faults.says('{"title": "\\ud83d", "numbers": []}'))
    ask(model)["title"].encode()


def test_an_answer_that_is_cut_off_is_incomplete(model, openai_server):
    openai_server.fail_next("chat", faults.CUT_OFF)
    failing(model, "INCOMPLETE_OUTPUT")


def test_a_model_that_thought_too_long_gets_more_room(model, openai_server):
    openai_server.knows = replace(openai_server.knows, thinks=True)
    assert ask(model, most_tokens=5)["numbers"] == [1, 2]


@pytest.mark.parametrize("fault", [faults.BLOCKED, faults.REFUSED, faults.FILTERED])
def test_what_the_model_declines_is_blocked(model, openai_server, fault):
    openai_server.fail_next("chat", fault)
    failing(model, "CONTENT_BLOCKED")


def test_a_question_beyond_the_context_is_too_large(model, openai_server):
    openai_server.knows = replace(openai_server.knows, context=60)
    failing(model, "TOO_LARGE")


def test_a_server_tells_how_much_its_model_reads(run, openai_server):
    openai_server.knows = VLLM
    assert language_model(run).reads == VLLM.context


def test_sound_is_not_taken(model):
    with pytest.raises(EngineError, match="INPUT_UNSUPPORTED"):
        ask(model, Sound(np.zeros(16000, np.float32)))


def test_a_model_without_eyes_takes_no_pictures(model, openai_server, pauses):
    openai_server.knows = LLAMA_CPP
    with pytest.raises(EngineError, match="INPUT_UNSUPPORTED"):
        ask(model, jpeg())
    assert pauses == []


@pytest.mark.parametrize(
    "fault, code",
    [
        (faults.NO_QUOTA, "QUOTA"),
        (faults.PAYMENT, "QUOTA"),
        (faults.HTML, "PROVIDER_PROTOCOL"),
        (faults.MOVED, "TOOL_MISSING"),
        (faults.page(403), "AUTH"),
        (faults.page(413), "TOO_LARGE"),
        (faults.Fault(200, b"[]", {"Content-Type": "application/json"}), "PROVIDER_PROTOCOL"),
        (faults.Fault(200, b'{"choices": []}', {"Content-Type": "application/json"}), "PROVIDER_PROTOCOL"),
    ],
)
def test_what_will_not_pass_is_not_tried_again(model, openai_server, pauses, fault, code):
    openai_server.fail_next("chat", fault)
    failing(model, code)
    assert pauses == []


PASSING = [
    faults.RATE_LIMIT,
    faults.SERVER,
    faults.BUSY,
    faults.BAD_GATEWAY,
    faults.INSIDE,
    faults.RESET,
]


@pytest.mark.parametrize("fault", PASSING)
def test_trouble_that_passes_is_waited_for(model, openai_server, pauses, events, fault):
    openai_server.fail_next("chat", fault, fault)
    assert ask(model)["numbers"] == [1, 2]
    assert len(pauses) == 2
    assert [event["attempt"] for event in events if event["type"] == "retry"] == [1, 2]


def test_a_server_that_hangs_is_asked_again(run, openai_server, pauses, monkeypatch):
    monkeypatch.setattr(upstream, "READ_SECONDS", 0.3)
    openai_server.fail_next("chat", faults.Fault(wait=1))
    assert ask(language_model(run))["numbers"] == [1, 2]
    assert len(pauses) == 1


def test_a_server_says_how_long_to_wait(model, openai_server, pauses):
    openai_server.fail_next("chat", faults.told_to_wait(21))
    ask(model)
    assert pauses == [21]


def test_trouble_that_stays_ends_the_run(model, openai_server, pauses):
    openai_server.fail_next("chat", *[faults.SERVER] * 5)
    failing(model, "SERVER")
    assert len(pauses) == 4


def test_a_server_that_is_not_there_is_a_matter_of_the_network(run, config, pauses):
    object.__setattr__(config.openai, "base_url", "http://127.0.0.1:9/v1")
    failing(language_model(run), "NETWORK")


def test_an_unknown_model_is_named_with_its_setting(model):
    model.name = "gpt-unknown"
    error = failing(model, "TOOL_MISSING")
    assert "SVC_OPENAI_MODEL" in error.operator


def test_a_wrong_address_is_named_with_its_setting(run, config, openai_server):
    object.__setattr__(config.openai, "base_url", openai_server.base_url + "/v2")
    assert "SVC_OPENAI_BASE_URL" in failing(language_model(run), "TOOL_MISSING").operator


def test_a_rejected_key_shows_nowhere(model, openai_server, config, events, caplog):
    openai_server.key = "another"
    with caplog.at_level(logging.DEBUG):
        error = failing(model, "AUTH")
    shown = f"{error.info()} {events} {caplog.text}"
    assert config.openai.api_key not in shown
    openai_server.key = config.openai.api_key


def test_a_server_of_ones_own_needs_no_key(run, config, openai_server):
    openai_server.open_to_all = True
    object.__setattr__(config.openai, "api_key", "")
    sent = ask(language_model(run))
    assert sent["numbers"] == [1, 2]
