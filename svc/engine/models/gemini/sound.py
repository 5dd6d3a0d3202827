"""Samples as FLAC: half the size of the samples, and nothing lost."""

import base64
import io

import av
import numpy as np

from svc.engine.media.audio import RATE

MIME = "audio/flac"
FRAME_SAMPLES = RATE  # a second at a time


def flac(samples: np.ndarray) -> bytes:
    """A FLAC file of float32 samples in -1..1, mono, 16 kHz."""
    pcm = np.clip(np.round(samples * 32768), -32768, 32767).astype(np.int16)
    file = io.BytesIO()
    with av.open(file, "w", format="flac") as container:
        stream = container.add_stream("flac", rate=RATE, layout="mono")
        for start in range(0, len(pcm), FRAME_SAMPLES):
            frame = av.AudioFrame.from_ndarray(pcm[None, start : start + FRAME_SAMPLES], format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, start
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return file.getvalue()


def inline(data: bytes, kind: str, mime: str) -> dict[str, str]:
    """A part of a question that carries its bytes itself."""
    return {"type": kind, "data": base64.b64encode(data).decode(), "mime_type": mime}
