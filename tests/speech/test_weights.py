from multiprocessing import get_context
from pathlib import Path

import pytest

from svc.core.errors import EngineError
from svc.engine.models.local import weights
from svc.engine.models.local.whisper import load_whisper
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
    assert "no-such-package" in caught.value.hint


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(EngineError, match="TOOL_MISSING"):
        load_whisper(Config(models_dir=str(tmp_path), work_dir="", whisper_model=str(tmp_path)))
