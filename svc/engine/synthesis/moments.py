"""Key moments: sentences that claim, show, quote, decide or ask for something, found by how they are said."""

import re
from collections.abc import Iterable

from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import Sentence

# In the order in which a sentence is asked, the most telling first.
KINDS = ("decision", "cta", "demo", "quote", "claim")
KIND_WORTH = {"cta": 1.2, "decision": 1.8, "demo": 1.3, "quote": 1.2, "claim": 1.3, "other": 0.8}
QUOTED = re.compile(r"[\"“„«「『][^\"”“»」』]{12,}[\"”“»」』]")
FIGURE = re.compile(r"\d[\d.,]*\s*(?:%|[$€£¥])|[$€£¥]\s*\d|\d{2,}")
SECONDS_EACH = 60
MOST = 15
# In a shorter transcript only sentences with a cue are moments.
LEAST_FOR_OTHER = 6
APART_SHARE = 0.4
# What a cue counts for in a sentence that is not central at all.
FLOOR = 0.15


def kind_of(sentence: Sentence, language: Language) -> str:
    for kind in KINDS:
        cue = language.phrases.moments.get(kind)
        if cue and cue.search(sentence.text):
            return kind
        if kind == "quote" and QUOTED.search(sentence.text):
            return kind
    return "claim" if FIGURE.search(sentence.text) else "other"


def key_moments(sentences: list[Sentence], scores: list[float], language: Language) -> Iterable[tuple[Sentence, str]]:
    """The best sentences with their kind, spread over the time, at most one a segment, in order."""
    if not sentences:
        return []
    duration = sentences[-1].end - sentences[0].start
    most = min(MOST, max(1, round(duration / SECONDS_EACH)), max(1, len(sentences) // 3))
    apart = APART_SHARE * duration / most
    kinds = [kind_of(sentence, language) for sentence in sentences]
    top = max(scores) or 1.0
    pool = [at for at, kind in enumerate(kinds) if kind != "other" or len(sentences) >= LEAST_FOR_OTHER]
    order = sorted(pool, key=lambda at: -(scores[at] / top + FLOOR) * KIND_WORTH[kinds[at]])
    chosen: list[int] = []
    for at in order:
        if len(chosen) == most:
            break
        if all(is_apart(sentences[at], sentences[other], apart) for other in chosen):
            chosen.append(at)
    return [(sentences[at], kinds[at]) for at in sorted(chosen)]


def is_apart(one: Sentence, other: Sentence, seconds: float) -> bool:
    return one.segment != other.segment and one.text != other.text and abs(one.start - other.start) >= seconds
