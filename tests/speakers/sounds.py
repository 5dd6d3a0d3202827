"""Recordings as the engine's decoded sound, alone or one after another."""

import wave
from pathlib import Path

import numpy as np
import recordings

from svc.engine.media.audio import RATE, Audio
from svc.engine.media.decode import decode_audio
from svc.engine.request import Config, Request
from svc.engine.run import Run

SILENCE = 300  # of 32768


def pcm(name: str) -> np.ndarray:
    """The samples of a recording that is mono, 16 kHz and 16 bits already."""
    with wave.open(str(recordings.path(name))) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def prompt(name: str, folder: Path) -> np.ndarray:
    """The samples of a recording of any format, without the silence around it."""
    run = Run(Request("file", name), Config(models_dir="", work_dir=str(folder)), lambda event: None)
    samples = decode_audio(run, recordings.path(name), folder / "prompt.pcm").pcm()
    loud = np.flatnonzero(np.abs(samples) > SILENCE)
    return samples[loud[0] : loud[-1] + 1]


def levelled(samples: np.ndarray) -> np.ndarray:
    """The same at a usual loudness, so that recordings of different levels can follow each other."""
    loudness = np.sqrt(np.mean(samples.astype(float) ** 2))
    return (samples * (2000 / loudness)).clip(-32768, 32767).astype("<i2")


def audio(folder: Path, *pieces: np.ndarray) -> Audio:
    """The pieces one after another, half a second apart."""
    pause = np.zeros(RATE // 2, "<i2")
    samples = np.concatenate([part for piece in pieces for part in (piece, pause)])
    path = folder / "sound.pcm"
    samples.tofile(path)
    return Audio(path, len(samples))


def starts(*pieces: np.ndarray) -> list[float]:
    """When each piece begins in `audio(folder, *pieces)`, in seconds."""
    lengths = [len(piece) / RATE + 0.5 for piece in pieces]
    return [sum(lengths[:index]) for index in range(len(pieces))]
