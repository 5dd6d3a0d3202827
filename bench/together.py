"""Two audio runs at once beside one alone: what a second job brings on the same machine.

Run `python bench/together.py`; `--quick` for two minutes of speech instead of ten. Throughput is runs a second of wall
time; the two runs at once hear two different recordings of the same length. A run alone tells speakers apart on a
second processor while it hears words on the first, so it is also given but one, as a busy service gives it.
"""

import os
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from audio import engine, write_talk
from figures import Figure, show

MIN_GAIN = 1.6
PAIRS = 3


def measure(quick: bool = False) -> list[Figure]:
    gains, scaling = [], []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        paths = [Path(folder) / f"{seed}.flac" for seed in (1, 2)]
        for seed, path in enumerate(paths):
            write_talk(path, 2 if quick else 10, seed)
        engine(paths[0])  # the first run joins the model's parts and fills the page cache
        for _ in range(1 if quick else PAIRS):
            alone = sum(engine(path)[0].wall for path in paths) / len(paths)
            on_one = on_one_processor(paths[0])
            began = time.perf_counter()
            list(pool.map(engine, paths))
            together = time.perf_counter() - began
            gains.append(len(paths) * alone / together)
            scaling.append(len(paths) * on_one / together)
            print(f"one alone {alone:.1f} s, on one processor {on_one:.1f} s, two at once {together:.1f} s")
    beside = f"{alone:.0f} s alone, {on_one:.0f} s on one processor, {together:.0f} s for two"
    return [
        Figure("two audio runs at once / one alone", statistics.median(gains), "x", None, MIN_GAIN, beside),
        Figure("two on two processors / one on one", statistics.median(scaling), "x", None, MIN_GAIN),
    ]


def on_one_processor(path: Path) -> float:
    """Wall seconds of a run that has but one processor."""
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(all_of_them)})
    try:
        return engine(path)[0].wall
    finally:
        os.sched_setaffinity(0, all_of_them)


if __name__ == "__main__":
    show(measure("--quick" in sys.argv))
