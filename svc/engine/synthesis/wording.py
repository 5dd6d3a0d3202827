"""How a sentence is shown on its own, and how well it can stand there."""

import re
from collections.abc import Iterable
from itertools import islice

from svc.engine.synthesis import gazetteer
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import MAX_PIECE, Sentence

MIN_LEFT = 4
IDEAL = range(8, 31)
LABEL_LETTERS = 110
QUESTION = re.compile(r"[?？؟]")
EARLY_SHARE, EARLY_WORTH = 0.1, 1.2
CASE_SAMPLE, NO_CAPITALS, ALL_CAPITALS = 200, 0.01, 0.6
ANNOUNCEMENT_WORTH = 1.2
PERSONAL = frozenset("i i'm i'll i've i'd you you're you'll ich yo je".split())


def is_caseless(texts: Iterable[str]) -> bool:
    """Whether a text has hardly any capitals, or little else."""
    letters = [letter for text in islice(texts, CASE_SAMPLE) for letter in text if letter.isalpha()]
    share = sum(letter.isupper() for letter in letters) / max(1, len(letters))
    return share < NO_CAPITALS or share > ALL_CAPITALS


def shown(text: str, language: Language, caseless: bool = False) -> str:
    """The sentence without its leading fillers, with a capital first letter; known names get theirs when it has none."""
    text = trimmed(text, language).rstrip(" ,;:–—-、，")
    if caseless:
        text = gazetteer.spelled(text.lower() if text.isupper() else text)
    return capitalised(text, language)


def trimmed(text: str, language: Language) -> str:
    """Cuts words such as "so," or "and um" from the front, as long as a sentence is left."""
    text = text.lstrip(" \t-–—,;:.…")
    for lead in language.phrases.leads:
        match = re.match(re.escape(lead) + r"(?!\w)[\s,.;:–—…-]*", text, re.IGNORECASE)
        if match and language.length(text[match.end() :]) >= MIN_LEFT and not glued(lead, text[match.end() :], language):
            return trimmed(text[match.end() :], language)
    return text


def glued(lead: str, rest: str, language: Language) -> bool:
    """Whether a lead belongs to what follows: "so that", "now that", "right of", "no one", "like this"."""
    following, then = (rest.lower().replace(",", "").split() + ["", ""])[:2]
    if (lead, following) == ("so", "that"):
        return then not in ("is", "was", "means")
    return (lead, following) in GLUED or (lead in LEADS_NEED_CLAUSE and following not in language.phrases.subjects | language.phrases.clauses)


GLUED = {
    ("so", "far"), ("so", "much"), ("so", "many"), ("so", "long"), ("now", "that"), ("and", "yet"),
    ("but", "for"), ("because", "of"), ("well", "over"), ("then", "again"), ("also", "known"), ("genau", "so"),
}  # fmt: skip
LEADS_NEED_CLAUSE = {"no", "like", "look", "see", "right", "great", "well", "i think", "again", "also", "actually", "ja",
                     "nein", "gut", "genau", "jetzt", "eben", "bon", "bien", "oui", "non", "no", "sí", "bem", "bom"}  # fmt: skip


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
    factor = length_factor(language.length(text)) * sentence.wholeness
    opening = words[0].strip(",.") if words else ""
    if opening in language.phrases.dependent or opening in language.phrases.leads:
        factor *= 0.35
    if opening in PERSONAL:
        factor *= 0.75
    if QUESTION.search(text):
        factor *= 0.3
    factor *= 0.7 ** sum(word.strip(",.") in language.phrases.fillers for word in words)
    if language.phrases.housekeeping.search(text):
        factor *= 0.25
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
