from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from svc.core.errors import EngineError
from svc.engine.models.local import weights
from svc.engine.models.local.whisper import Whisper, load_whisper
from svc.engine.request import Config


def size_of_model(folder: Path) -> int:
    return (weights.embedded_model(folder) / "model.bin").stat().st_size


def test_two_processes_at_once_make_one_whole_model(tmp_path):
    with get_context("spawn").Pool(2) as pool:
        assert pool.map(size_of_model, [tmp_path, tmp_path]) == [weights.SIZE] * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [weights.NAME, f"{weights.NAME}.lock"]


def test_what_an_interrupted_start_left_is_made_anew(tmp_path):
    (tmp_path / weights.NAME).mkdir()
    (tmp_path / weights.NAME / "model.bin").write_bytes(b"half")
    (tmp_path / f"{weights.NAME}.half").mkdir()
    assert size_of_model(tmp_path) == weights.SIZE


def test_damaged_weights_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "SHA256", "0" * 64)
    with pytest.raises(EngineError, match="TOOL_MISSING.*damaged"):
        weights.embedded_model(tmp_path)
    assert not (tmp_path / weights.NAME).exists()


def test_missing_weights_say_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "PACKAGES", ("no_such_package", "nor_this_one"))
    with pytest.raises(EngineError, match="TOOL_MISSING") as caught:
        weights.embedded_model(tmp_path)
    assert "no-such-package" in caught.value.operator


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(EngineError, match="TOOL_MISSING"):
        load_whisper(Config(models_dir=str(tmp_path), work_dir="", whisper_model=str(tmp_path)))


class Broken:
    """A model that fails as ctranslate2 does: at once, or when it is listened to."""

    model = SimpleNamespace(is_multilingual=True)
    supported_languages = ("en",)

    def __init__(self, at_once):
        self.at_once = at_once

    def transcribe(self, samples, **how):
        return raised() if self.at_once else (map(raised, [samples]), None)

    def detect_language(self, samples):
        raised()


def raised(*_):
    raise RuntimeError("out of memory")


@pytest.mark.parametrize("at_once", [True, False])
def test_a_model_that_fails_leaves_the_answer_incomplete(at_once):
    with pytest.raises(EngineError, match="INCOMPLETE_OUTPUT"):
        list(Whisper(Broken(at_once), "broken").recognize(np.zeros(1), "en"))


def test_a_model_that_fails_at_the_language_says_so():
    with pytest.raises(EngineError, match="INCOMPLETE_OUTPUT"):
        Whisper(Broken(True), "broken").languages(np.zeros(1))
