"""Kills the service's processes at random instants and looks for what that lost or doubled: `python bench/crashes.py`.

Arguments, all optional: how many kills (200), the most seconds to kill for (480), the seed (1).
"""

import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

from rampage import Rampage  # noqa: E402
from video_site import VideoSite  # noqa: E402


def main(kills: int = 200, seconds: int = 480, seed: int = 1) -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        VideoSite(folder) as site,
        Rampage(Path(folder), site, seed) as rampage,
    ):
        rampage.run(kills, seconds)
        faults = rampage.faults()
        print(rampage.report())
    print("\n".join(faults) or "nothing was lost or doubled")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
