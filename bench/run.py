"""Every benchmark, one after the other: `python bench/run.py`, or with `--quick` for a rough look in a few minutes.

Those that tell how good the engine is (`quality.py`, `speakers.py`, `chapters.py`) and the web server alone
(`server.py`) print tables of their own. What has a target comes last, in one table; the exit code is 1 when one is
missed. Each file also runs by itself.
"""

import subprocess
import sys
from pathlib import Path

import audio
import captions
import citations
import live
import screen
import together
from figures import Figure, show

HERE = Path(__file__).parent
OWN_TABLES = ("quality", "speakers", "chapters", "server")
WITH_TARGETS = (captions, live, citations, screen, together, audio)


def main(quick: bool) -> int:
    for name in OWN_TABLES:
        print(f"== {name}", flush=True)
        subprocess.run([sys.executable, HERE / f"{name}.py"], check=True)
    figures: list[Figure] = []
    for module in WITH_TARGETS:
        print(f"== {module.__name__}", flush=True)
        figures += module.measure(quick)
    show(figures)
    return int(not all(figure.holds for figure in figures))


if __name__ == "__main__":
    sys.exit(main("--quick" in sys.argv))
