"""Two audio runs at once beside one alone: what the second processor brings.

Run `python bench/together.py`; `--quick` for two minutes of speech instead of ten. Throughput is runs a second of wall
time; the two runs at once hear two different recordings of the same length.
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
    gains = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        paths = [Path(folder) / f"{seed}.flac" for seed in (1, 2)]
        for seed, path in enumerate(paths):
            write_talk(path, 2 if quick else 10, seed)
        engine(paths[0])  # the first run joins the model's parts and fills the page cache
        for _ in range(1 if quick else PAIRS):
            alone = sum(engine(path)[0].wall for path in paths) / len(paths)
            began = time.perf_counter()
            list(pool.map(engine, paths))
            together = time.perf_counter() - began
            gains.append(len(paths) * alone / together)
            print(f"one alone {alone:.1f} s, two at once {together:.1f} s")
    beside = f"{alone:.0f} s alone, {together:.0f} s together, {os.cpu_count()} cores"
    return [Figure("two audio runs at once / one, throughput", statistics.median(gains), "x", None, MIN_GAIN, beside)]


if __name__ == "__main__":
    show(measure("--quick" in sys.argv))
