"""Phrases that name what a stretch of speech is about."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from svc.engine.synthesis.language import NOUNS_CAPITALISED, Language

MAX_WORDS, PAIR = 3, 2
BESIDE_SHARE = 0.4
LENGTH_WORTH = (1.0, 2.0, 2.4)
SMOOTHING = 0.5
PREFERRED_WORTH = 2.0
VERBAL = 0.4
MAX_LINKED_WORDS = 5
BREAK = re.compile(r"[,;:!?()\[\]{}\"“”„«»…/|。，！？、；：·]|\.(?=\s|$)|\s[-–—]+\s|--")


Key = tuple[str, ...]


@dataclass
class Phrase:
    """`key` are the stems of its content words, by which phrases are compared; `text` is its commonest form."""

    key: Key
    text: str
    count: int


class Phrases:
    """All candidate phrases of a text with their counts, whole and by chapter."""

    def __init__(self, chapters: list[list[str]], language: Language):
        self.language = language
        self.counts: list[Counter[Key]] = []
        forms: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        verbs = verbal([text for texts in chapters for text in texts], language)
        for texts in chapters:
            count: Counter[Key] = Counter()
            for text in texts:
                for words in candidates(text, language):
                    key = tuple(language.stem(word) for word in words if language.is_content(word))
                    if key[0] in verbs or key[-1] in verbs or is_vague(words, language):
                        continue
                    count[key] += 1
                    forms[key][written(words)] += 1
            self.counts.append(count)
        self.total: Counter[Key] = Counter()
        for count in self.counts:
            self.total.update(count)
        self.neighbours: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for key, number in self.total.items():
            if len(key) == PAIR:
                self.neighbours[key[0]][key[1]] += number
                self.neighbours[key[1]][key[0]] += number
        self.forms = {key: form.most_common(1)[0][0] for key, form in forms.items()}

    def of_chapter(self, chapter: int, limit: int) -> list[Phrase]:
        """The phrases a chapter has far more often than the others: weighted log-odds with a prior.

        Monroe, Colaresi and Quinn, "Fightin' Words" (2008).
        """
        here = self.counts[chapter]
        inside, outside = sum(here.values()), sum(self.total.values()) - sum(here.values())
        scored = {}
        for key, count in here.items():
            rest = self.total[key] - count
            odds = math.log((count + SMOOTHING) / (inside + 1)) - math.log((rest + SMOOTHING) / (outside + 1))
            error = math.sqrt(1 / (count + SMOOTHING) + 1 / (rest + SMOOTHING))
            scored[key] = worth(key) * (odds / error if outside else math.log(1 + count)) * math.log(1 + count)
        return self.best(scored, here, limit)

    def of_all(self, limit: int, least: int = 2, preferred: frozenset[str] = frozenset()) -> list[Phrase]:
        """The phrases that come up most, longer ones before shorter; those of preferred stems first, said once or
        more."""
        scored = {
            key: worth(key) * math.sqrt(count) * (PREFERRED_WORTH if preferred.issuperset(key) else 1.0)
            for key, count in self.total.items()
            if count >= least or preferred.issuperset(key)
        }
        return self.best(scored, self.total, limit)

    def best(self, scored: dict[Key, float], counts: Counter[Key], limit: int) -> list[Phrase]:
        """The highest in score that share no stem; none that mostly stands beside a word chosen already."""
        chosen: list[Phrase] = []
        used: set[str] = set()
        for key in sorted(scored, key=lambda key: (-scored[key], self.forms[key])):
            if len(chosen) == limit:
                break
            beside = self.neighbours[key[0]] if len(key) == 1 else Counter()
            if used.isdisjoint(key) and all(beside[stem] < BESIDE_SHARE * self.total[key] for stem in used):
                chosen.append(Phrase(key, self.forms[key], counts[key]))
                used.update(key)
        return chosen


def worth(key: Key) -> float:
    return LENGTH_WORTH[len(key) - 1]


def candidates(text: str, language: Language) -> Iterator[list[str]]:
    """Runs of one to three content words; between them linking words may stand."""
    for clause in BREAK.split(text):
        words = language.words(clause)
        if not language.spaced:
            yield from ([word] for word in words if language.is_content(word))
            continue
        content = [language.is_content(word) for word in words]
        for first in range(len(words)):
            for last in range(first, min(len(words), first + MAX_LINKED_WORDS)):
                inside = content[first : last + 1]
                if not (inside[0] and (inside[-1] or words[last].lower().rstrip("'’") in language.phrases.links)):
                    break
                if inside[-1] and sum(inside) <= MAX_WORDS and ends_phrase(words[last], language):
                    yield words[first : last + 1]


def ends_phrase(word: str, language: Language) -> bool:
    """In German a phrase ends with a noun, which has a capital."""
    return language.code not in NOUNS_CAPITALISED or word[0].isupper()


def written(words: list[str]) -> str:
    return " ".join(words).replace("’ ", "’").replace("' ", "'")


def is_vague(words: list[str], language: Language) -> bool:
    """Begins with a word that says little ("percent", "days"), or ends so and is not like "young people"."""
    vague = language.phrases.vague
    linked = any(word.lower() in language.phrases.links for word in words)
    return words[0].lower() in vague or (words[-1].lower() in vague and (linked or len(words) == 1))


def verbal(texts: Iterable[str], language: Language) -> set[str]:
    """Stems that mostly follow a pronoun, "to" or an auxiliary: verbs, which name no topic."""
    after: Counter[str] = Counter()
    all_of: Counter[str] = Counter()
    for text in texts:
        words = [word.lower() for word in language.words(text)]
        for left, word in pairwise(["", *words]):
            if language.is_content(word):
                stem = language.stem(word)
                all_of[stem] += 1
                after[stem] += left in language.phrases.pronouns
    return {stem for stem, count in after.items() if count / all_of[stem] >= VERBAL}
