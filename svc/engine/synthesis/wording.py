"""How a sentence is shown on its own, and how well it can stand there."""

import re
from collections.abc import Iterable
from itertools import islice

from svc.engine.synthesis import gazetteer
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import MAX_PIECE, Sentence

MIN_LEFT = 4
IDEAL = range(8, 31)
LABEL_LETTERS, SHOWN_LETTERS = 110, 400
QUESTION = re.compile(r"[?？؟]")
EARLY_SHARE, EARLY_WORTH = 0.1, 1.2
CASE_SAMPLE, NO_CAPITALS, ALL_CAPITALS = 200, 0.01, 0.6
# A sentence with fewer different content words says little.
TELLING_TERMS = 5
# What speaks against a sentence on its own, and for it, as factors.
DEPENDENT_WORTH, PERSONAL_WORTH, QUESTION_WORTH, FILLER_WORTH, HOUSEKEEPING_WORTH = 0.35, 0.75, 0.3, 0.7, 0.25
SUBORDINATE_WORTH = 0.6
ANNOUNCEMENT_WORTH = 1.2


def is_caseless(texts: Iterable[str]) -> bool:
    """Whether a text has hardly any capitals, or little else."""
    letters = [letter for text in islice(texts, CASE_SAMPLE) for letter in text if letter.isalpha()]
    share = sum(letter.isupper() for letter in letters) / max(1, len(letters))
    return share < NO_CAPITALS or share > ALL_CAPITALS


def shown(text: str, language: Language, caseless: bool = False) -> str:
    """The sentence without its leading fillers, with a capital first; known names get theirs in a caseless text."""
    text = trimmed(text, language).rstrip(" ,;:–—-、，")
    if caseless:
        text = gazetteer.spelled(text.lower() if text.isupper() else text)
    return clipped(capitalised(text, language), SHOWN_LETTERS)


def trimmed(text: str, language: Language) -> str:
    """Cuts words such as "so," or "and um" from the front, as long as a sentence is left."""
    text = text.lstrip(" \t-–—,;:.…")
    lower = text.lower()
    for lead in filter(lower.startswith, language.phrases.leads):
        match = re.match(rf"{re.escape(lead)}(?!\w)[\s,.;:–—…-]*", text, re.IGNORECASE)
        rest = text[match.end() :] if match else ""
        if language.length(rest) >= MIN_LEFT and is_cuttable(lead, rest, language):
            return trimmed(rest, language)
    return text


def is_cuttable(lead: str, rest: str, language: Language) -> bool:
    """Whether a lead can go: not from "so far" or "no one"; "so that" only where "that" is the subject."""
    words = rest.lower().replace(",", "").split()
    if lead == "so" and words[0] == "that":
        return words[1] in ("is", "was", "means")
    if lead in language.phrases.weak_leads:
        return words[0] in language.phrases.subjects | language.phrases.clauses
    return f"{lead} {words[0]}" not in language.phrases.glued


def capitalised(text: str, language: Language) -> str:
    if language.code == "en":
        text = re.sub(r"\bi(?=\b(?!\.e))", "I", text)
    first = re.search(r"\w", text)
    if not first:
        return text
    return text[: first.start()] + first.group().upper() + text[first.end() :]


def clipped(text: str, letters: int = LABEL_LETTERS) -> str:
    """At most so many letters, cut between words, with an ellipsis where something is missing."""
    if len(text) <= letters:
        return text
    head = text[:letters]
    cut = head.rsplit(None, 1)[0] if " " in head[letters // 2 :] else head
    return cut.rstrip(" ,;:–—-") + "…"


def fitness(sentence: Sentence, count: int, language: Language) -> float:
    """How well a sentence stands alone, as a factor: whole, of a readable length, leaning on nothing before it."""
    text = trimmed(sentence.text, language)
    words = text.lower().replace("’", "'").split()
    factor = length_factor(language.length(text)) * min(1.0, len(sentence.terms) / TELLING_TERMS) * sentence.wholeness
    opening = words[0].strip(",.") if words else ""
    if opening in language.phrases.dependent or opening in language.phrases.leads:
        factor *= DEPENDENT_WORTH
    if opening in language.phrases.subordinate:
        factor *= SUBORDINATE_WORTH
    if opening in language.phrases.personal:
        factor *= PERSONAL_WORTH
    if QUESTION.search(text):
        factor *= QUESTION_WORTH
    factor *= FILLER_WORTH ** sum(word.strip(",.") in language.phrases.fillers for word in words)
    if language.phrases.housekeeping.search(text):
        factor *= HOUSEKEEPING_WORTH
    if language.phrases.announcement.search(text):
        factor *= ANNOUNCEMENT_WORTH
    if sentence.index <= EARLY_SHARE * count:
        factor *= EARLY_WORTH
    return factor


def length_factor(words: int) -> float:
    if words in IDEAL:
        return 1.0
    if words < IDEAL.start:
        return max(0.05, (words - 3) / (IDEAL.start - 3))
    return max(0.15, 1 - (words - IDEAL.stop) / MAX_PIECE)
