"""The on-screen layer over slides with known text: what it finds, and its time beside the bare libraries'.

Run `python bench/screen.py` in a checkout; `--quick` for two minutes of slides instead of ten. The slides are drawn, in
720p, built up line by line, with somebody moving in a corner. A visual run is the engine's own process, everything
included; beside it stands what PyAV and RapidOCR need for the same file and the same frames (`bare_screen.py`).
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

import slides  # noqa: E402
from figures import Figure, children_cpu, peak_mb, show  # noqa: E402

from svc.engine.process import EngineProcess  # noqa: E402
from svc.engine.request import Config, Request  # noqa: E402

SIZE = 1280, 720
MINUTES, PAIRS = 10, 3
QUICK = 2, 1
SEED = 7
LINES = (2, 3, 4, 5)
SECONDS = (4.0, 14.0)  # until the next line
NEAR = 1.5  # seconds, a change that was found in time
MAX_RATIO, MAX_PEAK_MB = 1.15, 1024
MAX_WRONG, MIN_FOUND, MAX_FALSE = 0.03, 0.95, 0.05

WORDS = (
    *("growth", "market", "driver", "engine", "support", "revenue", "customer", "platform", "budget", "quality"),
    *("release", "network", "storage", "traffic", "energy", "monitor", "planning", "schedule", "security", "training"),
    *("workshop", "analysis", "forecast", "delivery", "contract", "inventory", "hardware", "software", "interface"),
    *("response", "feedback", "standard", "process", "strategy", "region", "partner", "margin", "volume"),
)
VERBS = ("improves", "reduces", "follows", "replaces", "supports", "explains", "measures", "protects", "extends")


@dataclass(frozen=True)
class Slide:
    start: float
    title: str
    lines: list[str]


def phrase(chance: random.Random) -> str:
    first, second = chance.sample(WORDS, 2)
    return f"{first.capitalize()} {chance.choice(VERBS)} the {second} by {chance.randint(2, 98)} percent"


def write_talk(path: Path, minutes: float) -> list[Slide]:
    """A video of slides; what is on them."""
    chance, deck, shown, now = random.Random(SEED), [], [], 0.0
    while now < minutes * 60:
        title = " ".join(word.capitalize() for word in chance.sample(WORDS, 3))
        lines = [phrase(chance) for _ in range(chance.choice(LINES))]
        deck.append(Slide(now, title, lines))
        for picture in slides.builds(title, lines, SIZE):
            seconds = round(chance.uniform(*SECONDS), 1)
            shown.append((slides.with_speaker(picture, seed=len(shown)), seconds))
            now += seconds
    slides.write_video(path, shown, rate=10)
    return deck


def engine(path: Path) -> tuple[float, float, dict[str, Any], list[float]]:
    """Processor seconds, peak of memory, the notes, and the seconds of the frames that were read."""
    cpu, peak = children_cpu(), 0.0
    with tempfile.TemporaryDirectory() as folder:
        request = Request("file", str(path), mode="visual")
        with EngineProcess("run", request, Config(models_dir=folder, work_dir=folder)) as process:
            for event in process.events(0.2):
                peak = max(peak, peak_mb(process.child.pid))
                if event and event["type"] == "error":
                    raise RuntimeError(event["message"])
        visual = json.loads(Path(folder, "context.json").read_text("utf-8"))["visual"]
        parts = sorted(Path(folder, "parts", "visual").glob("*.json"))
        sights = [sight for part in parts for sight in json.loads(part.read_text("utf-8"))["sights"]]
    moments = [max(sight["start"], sight["end"] - 1) for sight in sights if sight["new"] and not sight["dark"]]
    return children_cpu() - cpu, peak, visual, moments


def bare(path: Path, moments: list[float]) -> dict[str, Any]:
    script = Path(__file__).with_name("bare_screen.py")
    told = subprocess.run([sys.executable, script, path, json.dumps(moments)], check=True, stdout=subprocess.PIPE)
    return json.loads(told.stdout)


def wrong(truth: list[str], found: list[str]) -> float:
    """The share of the letters, blanks aside, that are wrong in the lines closest to the true ones."""
    squeezed = {line.replace(" ", "") for line in found}
    errors = [
        min((distance(line, other) for other in squeezed), default=len(line))
        for line in (line.replace(" ", "") for line in truth)
    ]
    return sum(errors) / sum(len(line.replace(" ", "")) for line in truth)


def distance(one: str, other: str) -> int:
    """Levenshtein's: how many letters have to be changed, left out or put in."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, 1):
        previous, row = row, [count]
        for index, against in enumerate(other):
            row.append(min(previous[index] + (letter != against), previous[index + 1] + 1, row[-1] + 1))
    return row[-1]


def measure(quick: bool = False) -> list[Figure]:
    minutes, pairs = QUICK if quick else (MINUTES, PAIRS)
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "talk.mp4"
        deck = write_talk(path, minutes)
        for _ in range(pairs):
            cpu, peak, visual, moments = engine(path)
            theirs = bare(path, moments)
            ratios.append(cpu / (theirs["decode"] + theirs["read"]))
            print(f"{minutes} min: run {cpu:.1f} s CPU; decode {theirs['decode']:.1f}, read {theirs['read']:.1f}")
    truth = [line for slide in deck for line in (slide.title, *slide.lines)]
    ours = wrong(truth, [line["text"] for line in visual["onScreenText"]])
    same = wrong(truth, [line for texts in theirs["texts"] for line in texts])
    starts = [scene["start"] for scene in visual["scenes"]]
    found = sum(any(abs(slide.start - start) <= NEAR for start in starts) for slide in deck)
    false = sum(not any(abs(slide.start - start) <= NEAR for slide in deck) for start in starts)
    return [
        Figure("letters misread on slides", 100 * ours, "%", 100 * MAX_WRONG, beside=f"bare RapidOCR {100 * same:.2f}"),
        Figure("slides found", found / len(deck), "", at_least=MIN_FOUND, beside=f"{found} of {len(deck)}"),
        Figure("scenes that are no slide", false / len(deck), "", MAX_FALSE, beside=f"{false} of {len(starts)}"),
        Figure(f"visual run / bare libraries, {minutes} min, CPU", statistics.median(ratios), "x", MAX_RATIO),
        Figure(f"peak memory of a visual run, {minutes} min", peak, "MB", MAX_PEAK_MB),
    ]


if __name__ == "__main__":
    show(measure("--quick" in sys.argv))
