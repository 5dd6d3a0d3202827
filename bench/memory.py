"""The most memory that an audio run needs, for ten minutes, an hour and six hours of speech: it has to be flat.

Run `python bench/memory.py`; it takes most of an hour. `--quick` leaves the six hours out.
"""

import sys
import tempfile
from pathlib import Path

from audio import MAX_PEAK_MB, engine, write_talk
from figures import Figure, show

MINUTES = (10, 60, 360)
FLAT = 1.3  # the longest over the shortest: words and voices of six hours are some of it


def measure(quick: bool = False) -> list[Figure]:
    figures: list[Figure] = []
    for minutes in MINUTES[:2] if quick else MINUTES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "talk.flac"
            write_talk(path, minutes)
            spent, _ = engine(path)
        beside = f"{spent.cpu:.0f} s CPU"
        figures.append(
            Figure(f"peak memory of an audio run, {minutes} min", spent.peak, "MB", MAX_PEAK_MB, beside=beside)
        )
        show(figures[-1:])
    flat = figures[-1].value / figures[0].value
    return [*figures, Figure("peak memory, longest / shortest", flat, "x", FLAT)]


if __name__ == "__main__":
    show(measure("--quick" in sys.argv))
