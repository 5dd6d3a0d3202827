"""How words sound, near enough to tell what may have been misheard for what.

English words are taken as ARPAbet phones, those of other languages as their letters.
"""

import unicodedata
from dataclasses import dataclass
from itertools import chain

VOWEL_PHONES = {"AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"}
VOWELS = VOWEL_PHONES | set("AEIOUY")
# Sounds that differ in voice alone, or that are often taken for each other.
PAIRS = ("B P", "D T", "G K", "V F", "Z S", "ZH SH", "JH CH", "DH TH", "M N", "N NG")
ALIKE = {frozenset(pair.split()) for pair in PAIRS}
ALIKE_COST = 0.3
ADDED_VOWEL_COST = 0.5


@dataclass(frozen=True)
class Sounds:
    """A text's sounds in order; `known` when a dictionary has all its words, or there is no dictionary to ask."""

    units: tuple[str, ...]
    known: bool

    def distance(self, other: "Sounds") -> float:
        """The cheapest way from one to the other, as a share of the other's length (Levenshtein, weighted)."""
        row = [0.0]
        for unit in other.units:
            row.append(row[-1] + added(unit))
        for own in self.units:
            before, row = row, [row[0] + added(own)]
            for index, unit in enumerate(other.units):
                longer = min(before[index + 1] + added(own), row[-1] + added(unit))
                row.append(min(longer, before[index] + changed(own, unit)))
        return row[-1] / len(other.units)


def added(unit: str) -> float:
    return ADDED_VOWEL_COST if unit in VOWELS else 1.0


def changed(one: str, other: str) -> float:
    if one == other:
        return 0.0
    alike = (one in VOWELS and other in VOWELS) or frozenset((one, other)) in ALIKE
    return ALIKE_COST if alike else 1.0


def sounds_of(text: str, language: str | None) -> Sounds:
    if language == "en":
        return english(text)
    letters = (char for char in unicodedata.normalize("NFKD", text.upper()) if char.isalnum())
    return Sounds(tuple(letters), True)


def english(text: str) -> Sounds:
    from svc.engine.models.local.pronounce import dictionary, phones, spoken

    lookup = dictionary().get
    said = list(chain.from_iterable(spoken(token, lookup) for token in text.split()))
    units = " ".join(phones(word, lookup) for word in said).replace("ER", "AH R").split()
    return Sounds(tuple(units), all(map(lookup, said)))
