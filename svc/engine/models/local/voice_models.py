"""Two models of the pyannote community-1 speaker pipeline (CC-BY-4.0), read out of the moonshine-voice package.

No Python package carries these small models as files, but moonshine-voice has them inside its native library, as
bytes that onnxruntime loads as they are, the same on every platform. They are found by their marker and known by
their hash, so that another version of the package, without them, means TOOL_MISSING and never a wrong model.
"""

import hashlib
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import onnxruntime

from svc.core.errors import EngineError

PACKAGE = "moonshine_voice"
VERSION = "0.0.73"
LIBRARIES = ("libmoonshine.so", "libmoonshine.dylib", "moonshine.dll")
MARKER = b"ORTM"  # stands 4 bytes into every model in onnxruntime's own format


@dataclass(frozen=True)
class Embedded:
    """The size in bytes and the SHA-256 of a model."""

    size: int
    sha256: str


# waveforms [batch, 1, 160000] at 16 kHz -> segmentation [batch, 589, 3]: who of up to three speaks in each frame.
SEGMENTATION = Embedded(1_594_078, "b34eab1d68f1b7909113efdd8b3569e93433ca8c7039bba0f97beec973134ebd")
# fbank [batch, frames, 80] and weights [batch, frames] -> embedding [batch, 256]: whose voice (WeSpeaker ResNet34).
EMBEDDING = Embedded(6_975_918, "8c3a326c6a83de2db2d0806784449e9b5b41bcc88d0cca7fcdad279b4a59392b")


def load(model: Embedded) -> onnxruntime.InferenceSession:
    """A single-threaded session of the model. Raises TOOL_MISSING when it is not there."""
    for content in _candidates(_library(), model.size):
        if hashlib.sha256(content).hexdigest() == model.sha256:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    raise missing()


def _library() -> Path:
    spec = find_spec(PACKAGE)
    folder = Path(spec.origin).parent if spec and spec.origin else None
    found = [folder / name for name in LIBRARIES if (folder / name).is_file()] if folder else []
    if not found:
        raise missing()
    return found[0]


def _candidates(library: Path, size: int) -> Iterator[bytes]:
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        at = content.find(MARKER)
        while at >= 0:
            yield content[at - 4 : at - 4 + size]
            at = content.find(MARKER, at + 1)


def missing() -> EngineError:
    what = "The models that tell speakers apart are not installed."
    return EngineError("TOOL_MISSING", what, operator=f"{what} Install {PACKAGE.replace('_', '-')} {VERSION}.")
