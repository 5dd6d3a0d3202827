"""Names in a transcript: runs of capitalised words, or known names where nothing is capitalised.

A name is typed only where a list, a title or a word in it tells its kind; the rest are terms, kept if they come up
again.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from svc.engine.synthesis import gazetteer
from svc.engine.synthesis.language import NOUNS_CAPITALISED, Language
from svc.engine.synthesis.sentences import Sentence
from svc.engine.synthesis.wording import is_caseless

Name = tuple[str, ...]
Entity = tuple[str, str, int]

MOST = 25
LEAST_TERM = 2
BREAK = re.compile(r"[,;:!?()\"“”„«»。，！？…/]|\s[-–—]+\s|--|(?<=\w\w)\.(?=\s|$)")
TOKEN = re.compile(r"[^\W_](?:[\w.&'’+\-]*[\w+])?")
POSSESSIVE = re.compile(r"['’]s?$")
# Small words inside a name, and those between two names.
INNER = frozenset(["of", "the", "and", "de", "la", "del", "du", "der", "von", "van", "di", "da", "für", "for"])
BETWEEN = frozenset(["and", "the", "for"])


@dataclass(frozen=True)
class Run:
    """Capitalised words in a row. `opens`: they begin a sentence, where the first has its capital anyway."""

    words: Name
    opens: bool


def entities(sentences: list[Sentence], language: Language) -> list[Entity]:
    """Name, kind and number of mentions, the most frequent first."""
    texts = [sentence.text for sentence in sentences]
    if is_caseless(texts):
        return known(texts)
    lower = Counter(word for text in texts for word in TOKEN.findall(text) if word.islower())
    found = [run for text in texts for run in runs(text, language)]
    inside = Counter(run.words for run in found if not run.opens)
    names: Counter[Name] = Counter()
    for run in found:
        words = run.words[1:] if run.opens and lower[run.words[0].lower()] else run.words
        if words and is_name(words, lower, language) and (len(words) > 1 or not run.opens or is_sure(words, inside)):
            names[words] += 1
    return typed(merged(names))


def is_sure(words: Name, inside: Counter[Name]) -> bool:
    return bool(inside[words] or gazetteer.kind_of(words))


def known(texts: list[str]) -> list[Entity]:
    """Known names in a text without capitals, as they are usually written."""
    counts = Counter(match.group().lower() for text in texts for match in gazetteer.spellings().finditer(text))
    found = [(*gazetteer.known()[name], count) for name, count in counts.items()]
    return sorted(found, key=lambda entity: (-entity[2], entity[0]))[:MOST]


def runs(text: str, language: Language) -> Iterator[Run]:
    for number, clause in enumerate(BREAK.split(text)):
        run: list[str] = []
        opens = False
        for place, token in enumerate(TOKEN.findall(clause)):
            word = POSSESSIVE.sub("", token)
            first = number == place == 0
            if is_capital(word) and not (first and language.is_stop(word.lower())):
                opens = first if not run else opens
                run.append(word)
                ended = word != token
            else:
                ended = token.lower() not in INNER
                run += [token] if run and not ended else []
            if ended:
                yield from parted(run, opens)
                run = []
        yield from parted(run, opens)


def parted(run: list[str], opens: bool) -> Iterator[Run]:
    """A run as one name when it is a known one, else its parts between "and" and "the"."""
    while run and run[-1].lower() in INNER:
        run = run[:-1]
    whole = gazetteer.kind_of(run) if run and BETWEEN.isdisjoint(word.lower() for word in run[:2]) else None
    parts: list[list[str]] = [[]]
    for word in run:
        if word.lower() in BETWEEN and not whole:
            parts.append([])
        else:
            parts[-1].append(word)
    yield from (Run(tuple(part), opens and at == 0) for at, part in enumerate(parts) if part)


def is_capital(word: str) -> bool:
    """Begins with a capital, or holds one, as in iPhone."""
    return word[0].isupper() or (word[0].islower() and any(letter.isupper() for letter in word))


def is_name(words: Name, lower: Counter[str], language: Language) -> bool:
    if gazetteer.kind_of(words):
        return True
    not_names = gazetteer.listed("not_names")
    if len(words) > 1:
        return not all(language.is_stop(word.lower()) or word.lower() in not_names for word in words)
    word = words[0]
    if word.lower() in not_names or language.is_stop(word.lower()) or lower[word.lower()] or len(word) == 1:
        return False
    return word.isupper() or language.code not in NOUNS_CAPITALISED


def merged(names: Counter[Name]) -> Counter[Name]:
    """Counts "Obama" as "Barack Obama" when that is the only person whose name ends so."""
    people: defaultdict[str, set[Name]] = defaultdict(set)
    for name in names:
        if gazetteer.kind_of(name) == "people":
            people[name[-1]].add(name)
    together: Counter[Name] = Counter()
    for name, count in names.items():
        same = people[name[-1]] if len(name) == 1 and not gazetteer.kind_of(name) else set()
        together[next(iter(same)) if len(same) == 1 else name] += count
    return together


def typed(names: Counter[Name]) -> list[Entity]:
    found = []
    for name, count in names.items():
        kind = gazetteer.kind_of(name)
        if kind or count >= LEAST_TERM:
            found.append((" ".join(name), kind or "terms", count))
    return sorted(found, key=lambda entity: (-entity[2], entity[1] == "terms", entity[0]))[:MOST]
