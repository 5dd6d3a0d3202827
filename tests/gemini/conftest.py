"""A run whose models are at the fake provider."""

from types import SimpleNamespace

import pytest
from gemini_fake.fixture import gemini, gemini_server  # noqa: F401
from video_site.clips import write

from svc.engine.media.decode import decode_audio
from svc.engine.models import upstream
from svc.engine.request import Config, GeminiAccess, Options, Request
from svc.engine.run import Run

MODEL = "gemini-3.5-flash-lite"


@pytest.fixture
def config(gemini, tmp_path):  # noqa: F811
    access = GeminiAccess(gemini.key, gemini.base_url, MODEL)
    roles = dict.fromkeys(("asr_provider", "visual_provider", "synthesis_provider"), "gemini")
    return Config(models_dir=str(tmp_path / "models"), work_dir=str(tmp_path), gemini=access, **roles)


@pytest.fixture
def events():
    return []


@pytest.fixture
def run(config, events):
    return Run(Request("file", "clip", options=Options(diarize=False)), config, events.append)


@pytest.fixture
def decoded(run, tmp_path):
    """A recording as the engine hears it."""
    return lambda path: decode_audio(run, path, tmp_path / "audio.pcm")


@pytest.fixture
def pauses(monkeypatch):
    """Retries without their pauses, which are only noted here, in seconds."""
    noted = []
    monkeypatch.setattr(upstream, "time", SimpleNamespace(sleep=noted.append))
    return noted


@pytest.fixture
def video_clip(tmp_path):
    """Three seconds of a changing picture, with a tone."""
    write(tmp_path / "clip.mp4", 3.0, audio="aac", video="mpeg4")
    return tmp_path / "clip.mp4"
