"""Whether answers cite what is stored, and whether they find it.

Run `python bench/citations.py` in a checkout. Questions with known answers (`tests/ask/known_questions.py`) are asked
about a speech of 48 minutes, once as sentences and once as automatic captions: without a language model, and through a
scripted one that quotes the lines most like the question, each with the next, and mixes in quotations that nobody said.
Every citation is compared with the stored segments, to the letter. An answer counts as a hit when what it cites holds
the known words; a question that the speech does not answer, when nothing is cited. Then a whole answer from a process
of its own is timed beside the bare start of an interpreter.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(Path(__file__).parents[1]), str(TESTS), str(TESTS / "ask")]

from asking import context, is_stored, segments  # noqa: E402
from figures import Figure, show  # noqa: E402
from known_questions import KNOWN, UNANSWERABLE, caption_lines, lines  # noqa: E402
from scripted import Scripted  # noqa: E402

from svc.engine.ask import answer as asker  # noqa: E402
from svc.engine.models import roles  # noqa: E402
from svc.engine.process import EngineProcess, final_event  # noqa: E402
from svc.engine.request import Config, Request  # noqa: E402
from svc.engine.run import Run  # noqa: E402

QUOTED_PAIRS = 3
INVENTED = "These are words that nobody in this recording ever said."
TRIES = 5
LEAST_QUOTED, LEAST_SCRIPTED, LEAST_REFUSED = 0.9, 0.5, 0.9


@dataclass
class Tally:
    cited: int = 0
    stored: int = 0
    hits: int = 0
    refused: int = 0


def words(text: str) -> set[str]:
    return {word[:6] for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


def half_lying(told: str, given: str) -> dict:
    """Quotes pairs of lines that share most words with the question, and as many that are wrong in words or number."""
    question = given.split("<question>")[1]
    numbered = re.findall(r"^\[(\d+)\] \([\d:]+\) (.*)$", given, re.MULTILINE)
    pairs = [(int(number), f"{text} {after}") for (number, text), (_, after) in pairwise(numbered)]
    best = sorted(pairs, key=lambda pair: -len(words(pair[1]) & words(question)))[:QUOTED_PAIRS]
    true = [{"segment": number, "quote": text} for number, text in best]
    false = [{"segment": number, "quote": INVENTED} for number, _ in best]
    lost = [{"segment": -7, "quote": text[::-1]} for _, text in best]
    return {"supported": True, "answer": "So it was said.", "quotes": [*false, *true, *lost], "screen": []}


def plain(text: str) -> str:
    return re.sub(r"[^\w\s'$%-]", "", text).lower()


def tally(about: dict) -> Tally:
    found, run = Tally(), Run(Request("file", "talk.mp4"), Config("", ""), lambda event: None)
    for question in (*KNOWN, *UNANSWERABLE):
        citations = asker.answer(run, question, about)["citations"]
        found.cited += len(citations)
        found.stored += sum(is_stored(cited, about) for cited in citations)
        if question in KNOWN:
            found.hits += plain(KNOWN[question]) in plain(" ".join(cited["text"] for cited in citations))
        else:
            found.refused += not citations
    return found


def figures(name: str, found: Tally, least_hits: float) -> list[Figure]:
    exact = Figure(f"{name}: cited to the letter", found.stored / found.cited, at_least=1, beside=f"{found.cited}")
    hits = Figure(f"{name}: answers cited", found.hits / len(KNOWN), at_least=least_hits, beside=f"of {len(KNOWN)}")
    return [exact, hits]


def refusals(name: str, found: Tally) -> Figure:
    share = found.refused / len(UNANSWERABLE)
    return Figure(f"{name}: unsaid, not cited", share, at_least=LEAST_REFUSED, beside=f"of {len(UNANSWERABLE)}")


def seconds_of_a_question(about: dict) -> float:
    """From the start of the process to its answer."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "ask.json").write_text(json.dumps({"question": next(iter(KNOWN)), "context": about}))
        began = time.perf_counter()
        with EngineProcess("ask", Request("file", ""), Config("", folder)) as process:
            final_event(process, 60)
        return time.perf_counter() - began


def seconds_of_bare_python() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - began


def measure(quick: bool = False) -> list[Figure]:
    forms = {"sentences": context(segments(lines())), "captions": context(segments(caption_lines()))}
    found: list[Figure] = []
    for form, about in forms.items():
        counted = tally(about)
        found += [*figures(f"quoting, {form}", counted, LEAST_QUOTED), refusals(f"quoting, {form}", counted)]
    chosen = roles.language_model
    roles.language_model = lambda run: Scripted(half_lying)  # type: ignore[assignment]
    for form, about in forms.items():
        found += figures(f"scripted, {form}", tally(about), LEAST_SCRIPTED)
    roles.language_model = chosen
    tries = range(1 if quick else TRIES)
    asked = min(seconds_of_a_question(forms["sentences"]) for _ in tries)
    bare = min(seconds_of_bare_python() for _ in tries)
    return [
        *found,
        Figure("a question beside a bare interpreter", asked / bare, "times", beside=f"{asked:.2f} s / {bare:.3f} s"),
    ]


if __name__ == "__main__":
    show(measure("--quick" in sys.argv))
