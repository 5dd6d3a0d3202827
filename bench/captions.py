"""A captions run beside bare yt-dlp that reads the same page and fetches the same captions.

Run `python bench/captions.py` in a checkout. The pages are those of the tests' video site on loopback, so that no
network time hides anything: one of a known site and one with an HTML5 player, each with captions of ten minutes of
real speeches. The run is the engine's own process with everything in it: address guard, summary, chapters, the checked
Context. Both sides start a fresh process for each try, in turns, and are timed from there to their last line.
"""

import functools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

from chapters import WORDS_A_SECOND, speeches  # noqa: E402
from figures import Figure, children_cpu, show  # noqa: E402
from video_site import VideoSite  # noqa: E402
from video_site.clips import make_clips  # noqa: E402

from svc.engine.process import EngineProcess  # noqa: E402
from svc.engine.request import Config, Options, Request  # noqa: E402

SECONDS = 600
CUE_WORDS = 9
PAIRS, QUICK_PAIRS = 15, 5
MAX_RATIO = 1.2

BARE = """
import sys
from yt_dlp import YoutubeDL

with YoutubeDL({"quiet": True, "no_warnings": True, "logger": None}) as ydl:
    info = ydl.extract_info(sys.argv[1], download=False)
    track = info["subtitles"]["en"][-1]
    text = ydl.urlopen(track["url"]).read().decode()
    print(info["title"], len(text), flush=True)
"""


@dataclass
class Spent:
    cpu: float
    wall: float


known_speeches = functools.cache(speeches)


def caption_file(seconds: int) -> str:
    """WebVTT of so much of the newest speeches, at the pace of speech."""
    words = " ".join(sentence for speech in reversed(known_speeches()) for sentence in speech).split()
    cues, now = ["WEBVTT\n"], 0.0
    for first in range(0, int(seconds * WORDS_A_SECOND), CUE_WORDS):
        line = words[first : first + CUE_WORDS]
        end = now + len(line) / WORDS_A_SECOND
        cues.append(f"{stamp(now)} --> {stamp(end)}\n{' '.join(line)}\n")
        now = end
    return "\n".join(cues)


def stamp(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes // 60):02}:{int(minutes % 60):02}:{rest:06.3f}"


def run_engine(url: str, site: VideoSite) -> Spent:
    cpu, wall = children_cpu(), time.perf_counter()
    request = Request("url", url, mode="captions", options=Options(detail="full"))
    with tempfile.TemporaryDirectory() as folder:
        config = Config(models_dir=folder, work_dir=folder, allow_hosts=(site.allow,), extractor_plugins=True)
        with EngineProcess("run", request, config) as process:
            last = [event for event in process.events() if event][-1]
            wall = time.perf_counter() - wall
    if last["type"] != "done":
        raise RuntimeError(last["message"])
    return Spent(children_cpu() - cpu, wall)


def run_bare(url: str) -> Spent:
    cpu, wall = children_cpu(), time.perf_counter()
    with subprocess.Popen([sys.executable, "-c", BARE, url], stdout=subprocess.PIPE) as process:
        said = process.stdout.readline()  # type: ignore[union-attr]
        wall = time.perf_counter() - wall
        process.kill()
    if not said:
        raise RuntimeError("bare yt-dlp found nothing")
    return Spent(children_cpu() - cpu, wall)


def compare(name: str, url: str, site: VideoSite, pairs: int) -> list[Figure]:
    tries = [(run_engine(url, site), run_bare(url)) for _ in range(pairs + 1)][1:]
    ours, theirs = (statistics.median(spent[side].wall for spent in tries) for side in (0, 1))
    wall = statistics.median(one.wall / other.wall for one, other in tries)
    cpu = statistics.median(one.cpu / other.cpu for one, other in tries)
    of = f"{1000 * ours:.0f} ms / {1000 * theirs:.0f} ms"
    return [
        Figure(f"captions run / bare yt-dlp, {name}, wall", wall, "x", MAX_RATIO, beside=of),
        Figure(f"captions run / bare yt-dlp, {name}, CPU", cpu, "x", MAX_RATIO),
    ]


def measure(quick: bool = False) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, VideoSite(make_clips(Path(folder))) as site:
        os.environ["PYTHONPATH"] = site.plugin_path
        sys.path.append(site.plugin_path)  # what the engine's process is given
        captions = site.serve("/captions/talk.vtt", caption_file(SECONDS), "text/vtt; charset=utf-8")
        track = [{"url": captions, "ext": "vtt"}]
        known = site.video("talk", subtitles={"en": track}, language="en", duration=SECONDS)
        player = f'<video src="/media/talk.mp4"><track src="{captions}" srclang="en" kind="subtitles"></video>'
        html5 = site.serve("/ten-minutes.html", f"<html><title>A talk</title><body>{player}</body></html>")
        pairs = QUICK_PAIRS if quick else PAIRS
        return [
            *compare("known site", known, site, pairs),
            *compare("HTML5 page", html5, site, pairs),
        ]


if __name__ == "__main__":
    show(measure("--quick" in sys.argv))
