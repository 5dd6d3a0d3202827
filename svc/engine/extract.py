"""Stage `extract`: what the file is, and its sound as samples."""

from pathlib import Path
from typing import Any

from svc.core.errors import EngineError
from svc.engine.media.audio import Audio
from svc.engine.media.decode import decode_audio, warn_of_lost
from svc.engine.media.probe import Probe, probe
from svc.engine.run import Run


def extract(run: Run, path: Path, *, sound: bool = True) -> tuple[Probe, Audio | None]:
    """Probes `path` and, when `sound` is wanted, decodes it into the run's folder, or takes what an earlier run left.

    Raises the INPUT_ errors, NO_AUDIO_STREAM, and SOURCE_TOO_LONG beyond the request's limit.
    """
    found = probe(path)
    if run.request.max_seconds and found.duration and found.duration > run.request.max_seconds:
        raise EngineError("SOURCE_TOO_LONG")
    if not sound:
        return found, None
    if not found.has_audio:
        raise EngineError("NO_AUDIO_STREAM")
    part, _ = run.part("extract/sound", lambda: decode_whole(run, path))
    audio = Audio(sound_file(run), part["samples"], tuple((start, end) for start, end in part["lost"]))
    warn_of_lost(run, audio)
    return found, audio


def decode_whole(run: Run, path: Path) -> dict[str, Any]:
    """The number of samples and what is lost of them; they lie in `sound_file` only once all of them do."""
    half = sound_file(run).with_suffix(".half")
    audio = decode_audio(run, path, half)
    half.replace(sound_file(run))
    return {"samples": audio.samples, "lost": audio.lost}


def sound_file(run: Run) -> Path:
    return run.folder / "audio.pcm"
