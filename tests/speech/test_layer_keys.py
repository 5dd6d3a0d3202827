import pytest

from svc.engine.keys import layer_key
from svc.engine.request import Config, Options, Request


def key(**options):
    config = Config(models_dir="", work_dir="")
    return layer_key("audio", "content", Request("file", "clip", options=Options(**options)), config)


@pytest.mark.parametrize(
    "options",
    [
        {"diarize": True},
        {"proofread": False},
        {"proofread": "terms"},
        {"proofread": False, "vocabulary": ("Asterisk",)},
        {"quality": "high"},
    ],
)
def test_an_option_without_effect_is_the_same_transcript(options):
    assert key(**options) == key()


def test_a_vocabulary_is_a_full_proofread():
    assert (
        key(vocabulary=("a", "b"))
        == key(vocabulary=("b", "a"), proofread="full")
        == key(vocabulary=("a", "b"), proofread=True)
    )


@pytest.mark.parametrize(
    "options",
    [{"diarize": False}, {"proofread": "full"}, {"vocabulary": ("Asterisk",)}],
)
def test_an_option_with_effect_is_another_transcript(options):
    assert key(**options) != key()
