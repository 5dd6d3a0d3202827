"""A run whose models are on a server that speaks OpenAI's protocol."""

from types import SimpleNamespace

import pytest
import recordings
from openai_fake.fixture import openai_process, openai_server  # noqa: F401

from svc.engine.media.decode import decode_audio
from svc.engine.models import upstream
from svc.engine.models.openai import language_model, speech_to_text
from svc.engine.request import Config, OpenAIAccess, Options, Request
from svc.engine.run import Run

MODELS = str(recordings.FOLDER / "models")


@pytest.fixture
def config(openai_server, tmp_path):  # noqa: F811
    server = openai_server
    access = OpenAIAccess(server.key, server.base_url, server.model, server.base_url, server.ears)
    roles = dict.fromkeys(("asr_provider", "visual_provider", "synthesis_provider"), "openai")
    return Config(models_dir=MODELS, work_dir=str(tmp_path), openai=access, **roles)


@pytest.fixture
def events():
    return []


@pytest.fixture
def run(config, events):
    return Run(Request("file", "clip", options=Options(diarize=False)), config, events.append)


@pytest.fixture
def model(run):
    return language_model(run)


@pytest.fixture
def ears(run):
    return speech_to_text(run)


@pytest.fixture
def heard(run, tmp_path):
    """The samples of a recording by its name."""

    def samples(name, start=0, end=None):
        return decode_audio(run, recordings.path(name), tmp_path / f"{name}.pcm").read(start, end)

    return samples


@pytest.fixture
def pauses(monkeypatch):
    """The pauses between tries, in seconds, which nobody has to wait for."""
    waited = []
    monkeypatch.setattr(upstream, "time", SimpleNamespace(sleep=waited.append))
    return waited
