"""Names in a transcript: runs of capitalised words, and known names where nothing is capitalised.

A name is typed only where a list, a title or a word in it tells its kind; the rest are terms, kept if they come up again.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from svc.engine.synthesis import gazetteer
from svc.engine.synthesis.language import Language
from svc.engine.synthesis.sentences import Sentence
from svc.engine.synthesis.wording import is_caseless

MOST = 25
LEAST_TERM = 2
INNER = frozenset("of the and de la del du der von van di da für for".split())
BREAK = re.compile(r"[,;:!?()\"“”„«»。，！？…/]|\s[-–—]+\s|--|(?<=\w\w)\.(?=\s|$)")
TOKEN = re.compile(r"[^\W_](?:[\w.&'’+\-]*[\w+])?")
# Words that are capitalised in mid-sentence without being names.
NOT_NAMES = frozenset(
    "i i'm i'll i've i'd monday tuesday wednesday thursday friday saturday sunday january february march april may june"
    " july august september october november december god ok okay mr mrs ms dr mister madam".split()
)
NOUNS_CAPITALISED = {"de", "lb"}


def entities(sentences: list[Sentence], language: Language) -> list[tuple[str, str, int]]:
    """Name, kind and number of mentions, the most frequent first."""
    if is_caseless(sentence.text for sentence in sentences):
        return known(sentences)
    runs: Counter[tuple[str, ...]] = Counter()
    lower: Counter[str] = Counter()
    for sentence in sentences:
        found = list(names(sentence.text, language))
        runs.update(found)
        lower.update(word for word in TOKEN.findall(sentence.text) if word.islower())
    runs = Counter({run: n for run, n in runs.items() if is_name(run, lower, language)})
    return typed(merged(runs), language)


def names(text: str, language: Language) -> Iterator[tuple[str, ...]]:
    """Runs of capitalised words. The first word of a sentence counts only when another follows or it is known."""
    begins = True
    for clause in BREAK.split(text):
        tokens = [(m.group(), m.start()) for m in TOKEN.finditer(clause)]
        run: list[str] = []
        for place, (token, _) in enumerate(tokens):
            word = re.sub(r"['’]s?$", "", token)
            if is_capital(word) and not (begins and place == 0 and is_opening(word, language)):
                run.append(word)
                if word != token:
                    yield from emit(run, language)
                    run = []
            elif run and token.lower() in INNER and place + 1 < len(tokens) and is_capital(tokens[place + 1][0]):
                run.append(token)
            else:
                yield from emit(run, language)
                run = []
        yield from emit(run, language)
        begins = begins and not tokens


def emit(run: list[str], language: Language) -> Iterator[tuple[str, ...]]:
    while run and (run[-1].lower() in INNER or run[-1].lower() in NOT_NAMES):
        run = run[:-1]
    while run and run[0].lower() in NOT_NAMES - gazetteer.HONORIFICS:
        run = run[1:]
    for part in parted(run):
        if part:
            yield tuple(part)


def parted(run: list[str]) -> list[list[str]]:
    """Two names joined by "and" or "the" are two, unless the whole is a known one."""
    if gazetteer.kind_of(tuple(run)) in ("products", "organizations", "places") and len(run) > 1:
        return [run]
    parts: list[list[str]] = [[]]
    for word in run:
        if word.lower() in ("and", "the"):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def is_capital(word: str) -> bool:
    return word[:1].isupper() or (word[:1].islower() and any(letter.isupper() for letter in word[1:]))


def is_opening(word: str, language: Language) -> bool:
    """Whether the first word of a sentence may have its capital from that alone."""
    return word.lower() in language.stop_words or not (word.isupper() and len(word) > 1)


def is_name(run: tuple[str, ...], lower: Counter[str], language: Language) -> bool:
    if gazetteer.kind_of(run):
        return True
    if len(run) == 1:
        word = run[0]
        if word.lower() in language.stop_words or word.lower() in NOT_NAMES or lower[word.lower()] or len(word) < 2:
            return False
        return language.code not in NOUNS_CAPITALISED or word.isupper()
    return not all(word.lower() in language.stop_words for word in run)


def merged(runs: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """Counts "Obama" as "Barack Obama" when that is the only person whose name ends so."""
    longer: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for run in runs:
        if gazetteer.kind_of(run) == "people":
            longer[run[-1]].add(run)
    together: Counter[tuple[str, ...]] = Counter()
    for run, count in runs.items():
        home = longer[run[-1]] if len(run) == 1 and not gazetteer.kind_of(run) else set()
        together[next(iter(home)) if len(home) == 1 else run] += count
    return together


def typed(runs: Counter[tuple[str, ...]], language: Language) -> list[tuple[str, str, int]]:
    found = []
    for run, count in runs.items():
        kind = gazetteer.kind_of(run)
        if kind or count >= LEAST_TERM:
            found.append((" ".join(run), kind or "terms", count))
    return sorted(found, key=lambda entity: (-entity[2], entity[1] == "terms", entity[0]))[:MOST]


def known(sentences: list[Sentence]) -> list[tuple[str, str, int]]:
    """Known names in a text without capitals, as they are usually written."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(match.group().lower() for match in gazetteer.spellings().finditer(sentence.text))
    found = [(*gazetteer.known()[name], count) for name, count in counts.items()]
    return sorted(found, key=lambda entity: (-entity[2], entity[0]))[:MOST]
