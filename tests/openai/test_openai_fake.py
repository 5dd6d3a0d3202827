"""The fake server, held against OpenAI's own client."""

import base64
import io
from dataclasses import replace

import openai
import pytest
import recordings
from openai_fake import GPT_TRANSCRIBE, faults
from PIL import Image

SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string"}},
    "required": ["title"],
    "additionalProperties": False,
}


@pytest.fixture
def client(openai_server):
    return openai.OpenAI(api_key=openai_server.key, base_url=openai_server.base_url, max_retries=0)


def ask(client, content="What is this?", **more):
    return client.chat.completions.create(model="gpt-fake", messages=[{"role": "user", "content": content}], **more)


def hear(client, **more):
    with recordings.path("jfk.wav").open("rb") as file:
        return client.audio.transcriptions.create(model="whisper-fake", file=file, **more)


def test_it_lists_its_models(client):
    assert [model.id for model in client.models.list()] == ["gpt-fake", "whisper-fake"]


def test_it_chats(client):
    answer = ask(client)
    assert answer.choices[0].message.content == "You said: What is this?"
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


def test_it_answers_in_a_schema(client):
    form = {"type": "json_schema", "json_schema": {"name": "a", "strict": True, "schema": SCHEMA}}
    assert ask(client, response_format=form).choices[0].message.content == '{"title": "What is this?"}'


def test_it_looks_at_pictures(client):
    file = io.BytesIO()
    Image.new("RGB", (32, 32)).save(file, "JPEG")
    url = "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
    answer = ask(client, [{"type": "text", "text": "And this?"}, {"type": "image_url", "image_url": {"url": url}}])
    assert answer.usage.prompt_tokens > 85


def test_it_hears_words_and_segments(client):
    answer = hear(client, response_format="verbose_json", timestamp_granularities=["word", "segment"], language="en")
    assert answer.text.lower().startswith("and so my fellow americans")
    assert answer.segments[0].avg_logprob < 0
    assert answer.words[1].word == "so" and 0 < answer.words[1].start < answer.words[1].end


def test_it_hears_text_alone(client, openai_server):
    openai_server.knows = GPT_TRANSCRIBE
    assert "country" in hear(client).text


@pytest.mark.parametrize(
    "fault, error",
    [
        (faults.RATE_LIMIT, openai.RateLimitError),
        (faults.NO_QUOTA, openai.RateLimitError),
        (faults.SERVER, openai.InternalServerError),
        (faults.CONTEXT, openai.BadRequestError),
        (faults.RESET, openai.APIConnectionError),
    ],
)
def test_it_fails_as_it_should(client, openai_server, fault, error):
    openai_server.fail_next("chat", fault)
    with pytest.raises(error):
        ask(client)


@pytest.mark.parametrize(
    "wrong, error",
    [
        ({"extra_body": {"colour": "red"}}, openai.BadRequestError),
        ({"response_format": {"type": "json_object"}}, openai.BadRequestError),
        ({"response_format": {"type": "yaml"}}, openai.BadRequestError),
    ],
)
def test_it_refuses_what_the_api_does_not_know(client, wrong, error):
    with pytest.raises(error):
        ask(client, **wrong)


def test_it_refuses_a_schema_that_is_not_strict(client):
    loose = {key: value for key, value in SCHEMA.items() if key != "additionalProperties"}
    form = {"type": "json_schema", "json_schema": {"name": "a", "strict": True, "schema": loose}}
    with pytest.raises(openai.BadRequestError, match="Invalid schema"):
        ask(client, response_format=form)


def test_it_refuses_a_wrong_key(openai_server):
    client = openai.OpenAI(api_key="sk-wrong", base_url=openai_server.base_url, max_retries=0)
    with pytest.raises(openai.AuthenticationError):
        ask(client)


def test_it_refuses_a_form_that_the_model_does_not_have(client, openai_server):
    openai_server.knows = GPT_TRANSCRIBE
    with pytest.raises(openai.BadRequestError, match="verbose_json"):
        hear(client, response_format="verbose_json")


def test_it_refuses_sound_that_is_too_long(client, openai_server):
    openai_server.knows = replace(openai_server.knows, longest=5)
    with pytest.raises(openai.BadRequestError, match="longer than"):
        hear(client)
