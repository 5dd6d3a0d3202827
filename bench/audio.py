"""An audio run from file to Context beside the bare libraries that do its work, and its memory.

Run `python bench/audio.py` in a checkout; `--quick` for two minutes of speech instead of ten minutes and an hour. The
run is the engine's own process, everything included: its start, its imports, speakers, summary, the checked Context.
Beside it stands the sum of what the libraries need by themselves for the same recording (`bare_audio.py`). Both run in
fresh processes, in turns; the ratios are of processor seconds, and of wall time for those who have a core to spare.
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

import recordings  # noqa: E402
from figures import Figure, children_cpu, peak_mb, show  # noqa: E402

from svc.engine.models.local.weights import embedded_model  # noqa: E402
from svc.engine.process import EngineProcess  # noqa: E402
from svc.engine.request import Config, Request  # noqa: E402

RATE = 16_000
TALKS = [
    "two_cities.wav",
    "acoustic_corpus.wav",
    "cold_corpus.wav",
    "cold_corpus3.wav",
    "call.wav",
    "endgame.wav",
    "beckett.wav",
    "jfk.wav",
    "wizard.flac",
    *(f"austen_{number}.wav" for number in ("0870", "0880", "0890", "0920", "0930")),
    *(f"meeting_{name}.wav" for name in ("dev00", "dev01", "trn03", "trn07", "tst00", "tst01")),
]
PAUSES = (0.5, 4.0)  # seconds
LOUDNESS = (0.3, 1.0)
SEED = 5

MINUTES_AND_PAIRS = ((10, 3), (60, 1))
QUICK = ((2, 1),)
MAX_RATIO = 1.15
MAX_PEAK_MB = 1024
FLAT = 1.1  # an hour's peak over that of ten minutes, apart from the hour's own samples


@dataclass
class Spent:
    """Processor and wall seconds, and the peak of memory in MB."""

    cpu: float
    wall: float
    peak: float = 0.0


def samples(name: str) -> np.ndarray:
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    with av.open(str(recordings.path(name))) as container:
        return np.concatenate([p.to_ndarray()[0] for f in container.decode(audio=0) for p in resampler.resample(f)])


def write_talk(path: Path, minutes: float, seed: int = SEED) -> None:
    """So much real speech as FLAC: the recordings in ever new order and loudness, with pauses of different length."""
    chance, talks = random.Random(seed), [samples(name) for name in TALKS]
    parts: list[np.ndarray] = []
    wanted = round(minutes * 60 * RATE)
    while sum(map(len, parts)) < wanted:
        for talk in chance.sample(talks, len(talks)):
            parts.append((talk * chance.uniform(*LOUDNESS)).astype(np.int16))
            parts.append(np.zeros(int(chance.uniform(*PAUSES) * RATE), np.int16))
    sound = np.concatenate(parts)[:wanted]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("flac", rate=RATE, layout="mono")
        for start in range(0, len(sound), 4096):
            frame = av.AudioFrame.from_ndarray(sound[None, start : start + 4096], format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, start
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def engine(path: Path) -> tuple[Spent, list[tuple[float, float]]]:
    """One run, and the blocks it took."""
    blocks, peak = [], 0.0
    cpu, wall = children_cpu(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        request = Request("file", str(path), mode="audio")
        with EngineProcess("run", request, Config(models_dir=models(), work_dir=folder)) as process:
            for event in process.events(0.2):
                peak = max(peak, peak_mb(process.child.pid))
                if event and event["type"] == "chunk":
                    blocks.append((event["start"], event["end"]))
                if event and event["type"] == "error":
                    raise RuntimeError(event["message"])
    return Spent(children_cpu() - cpu, time.perf_counter() - wall, peak), blocks


def bare(path: Path, blocks: list[tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Processor and wall seconds of each library."""
    script = Path(__file__).with_name("bare_audio.py")
    model = embedded_model(Path(models()))
    told = subprocess.run(
        [sys.executable, script, path, model, json.dumps(blocks)], check=True, stdout=subprocess.PIPE
    ).stdout
    return json.loads(told)["spent"]


def models() -> str:
    return str(recordings.FOLDER / "models")


def compare(path: Path, minutes: int, pairs: int) -> tuple[list[Figure], float]:
    """The ratios for one length, and the peak of memory."""
    cpu, wall, peaks = [], [], []
    for _ in range(pairs):
        ours, blocks = engine(path)
        stages = bare(path, blocks)
        theirs = Spent(sum(cpu for cpu, _ in stages.values()), sum(wall for _, wall in stages.values()))
        cpu.append(ours.cpu / theirs.cpu)
        wall.append(ours.wall / theirs.wall)
        peaks.append(ours.peak)
        detail = ", ".join(f"{name} {cpu:.1f}" for name, (cpu, _) in stages.items())
        print(f"{minutes} min: run {ours.cpu:.1f} s CPU, {ours.wall:.1f} s; libraries {theirs.cpu:.1f} ({detail})")
    of = f"{ours.cpu:.0f} s / {theirs.cpu:.0f} s CPU"
    return [
        Figure(f"audio run / bare libraries, {minutes} min, CPU", statistics.median(cpu), "x", MAX_RATIO, beside=of),
        Figure(f"audio run / bare libraries, {minutes} min, wall", statistics.median(wall), "x", MAX_RATIO),
        Figure(f"peak memory of an audio run, {minutes} min", max(peaks), "MB", MAX_PEAK_MB),
    ], max(peaks)


def measure(quick: bool = False) -> list[Figure]:
    figures, peaks = [], []
    for minutes, pairs in QUICK if quick else MINUTES_AND_PAIRS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "talk.flac"
            write_talk(path, minutes)
            found, peak = compare(path, minutes, pairs)
        figures += found
        peaks.append(peak)
    if len(peaks) > 1:
        figures.append(Figure("peak memory, an hour / ten minutes", peaks[-1] / peaks[0], "x", FLAT))
    return figures


if __name__ == "__main__":
    show(measure("--quick" in sys.argv))
