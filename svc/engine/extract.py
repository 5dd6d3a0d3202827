"""Stage `extract`: what the file is, and its sound as samples."""

from pathlib import Path

from svc.core.errors import EngineError
from svc.engine.media.audio import Audio
from svc.engine.media.decode import decode_audio
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
    samples, _ = run.part("extract/audio", lambda: decode_whole(run, path))
    return found, Audio(sound_file(run), samples)


def decode_whole(run: Run, path: Path) -> int:
    """The number of samples; they lie in `sound_file` only once all of them do."""
    half = sound_file(run).with_suffix(".half")
    audio = decode_audio(run, path, half)
    half.replace(sound_file(run))
    return audio.samples


def sound_file(run: Run) -> Path:
    return run.folder / "audio.pcm"
