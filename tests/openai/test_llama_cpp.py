"""The language model against a real server, llama.cpp's, with a model of 135 million parameters.

What it writes is of no use to anybody; that it is asked and understood rightly is what is tested.
"""

import io

import pytest
import recordings
from llama_cpp_server import CONTEXT, MODEL, llama_cpp
from PIL import Image as Picture

from svc.core.errors import EngineError
from svc.engine.models.openai import language, language_model
from svc.engine.models.protocol import Image
from svc.engine.request import Config, OpenAIAccess, Request
from svc.engine.run import Run

KEY = "sk-of-llama-cpp"
SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string", "maxLength": 40}, "mood": {"type": "string", "enum": ["glad", "sad"]}},
    "required": ["title", "mood"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address():
    with llama_cpp(recordings.path("smollm2.gguf"), KEY) as url:
        yield url


@pytest.fixture
def ask(address, tmp_path):
    """A question to the model; `form` is how many ways of asking for JSON the server is known not to take."""

    def ask(*parts, form=0, key=KEY, most_tokens=300):
        run = Run(
            Request("file", "clip"), Config("", str(tmp_path), openai=OpenAIAccess(key, address, MODEL)), lambda _: None
        )
        model = language_model(run)
        model.manners.form = form
        return model.complete("Describe the text.", parts, SCHEMA, most_tokens), run.usage()

    language.manners_of.cache_clear()
    return ask


@pytest.mark.parametrize("form", [0, 1])
def test_an_answer_fits_its_schema(ask, form):
    answer, usage = ask("It was the best of times.", form=form)
    assert set(answer) == {"title", "mood"}
    assert usage.tokens_in > 10 and usage.tokens_out > 5


def test_the_server_tells_how_much_the_model_reads(address, tmp_path):
    run = Run(
        Request("file", "clip"), Config("", str(tmp_path), openai=OpenAIAccess(KEY, address, MODEL)), lambda _: None
    )
    language.manners_of.cache_clear()
    assert language_model(run).reads == CONTEXT


def test_more_than_it_reads_is_too_large(ask):
    with pytest.raises(EngineError, match="TOO_LARGE"):
        ask("word " * CONTEXT)


def test_pictures_are_not_taken(ask):
    file = io.BytesIO()
    Picture.new("RGB", (32, 32)).save(file, "JPEG")
    with pytest.raises(EngineError, match="INPUT_UNSUPPORTED"):
        ask("What is this?", Image(file.getvalue()))


def test_an_answer_that_is_cut_off_is_incomplete(ask):
    with pytest.raises(EngineError, match="INCOMPLETE_OUTPUT"):
        ask("It was the best of times.", most_tokens=3)


def test_a_wrong_key_is_rejected(ask):
    with pytest.raises(EngineError, match="AUTH"):
        ask("It was the best of times.", key="sk-wrong")
