"""How an English word is said: display tokens to spoken words, spoken words to ARPAbet phones.

Written for forced alignment, where a coarse guess at an unknown word is good enough to place it in time.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path

from num2words import num2words

Lookup = Callable[[str], str | None]

UNITS = {"$": "dollars", "£": "pounds", "€": "euros", "¥": "yen", "%": "percent", "°": "degrees"}
SIGNS = {"&": "and", "+": "plus", "@": "at", "=": "equals", **UNITS}
YEARS = range(1100, 2100)
LONGEST_NUMBER = 9

PIECE = re.compile(
    r"(?P<money>[$£€¥])?(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?P<ending>st|nd|rd|th|s)?(?![a-z])"
    r"|(?P<digits>\d+)"
    r"|(?P<word>[a-z]+(?:'[a-z]+)*(?:(?<=s)')?)"
    r"|(?P<sign>[&+@=$£€¥%°])",
    re.IGNORECASE | re.ASCII,
)

SUFFIXES = {
    "'s": "Z",
    "s'": "Z",
    "n't": "AH N T",
    "'ll": "AH L",
    "'ve": "V",
    "'re": "ER",
    "'d": "D",
    "'": "",
    "es": "IH Z",
    "s": "Z",
    "ing": "IH NG",
    "ed": "D",
    "ly": "L IY",
    "er": "ER",
}
SHORTEST_STEM = 3


def _table(entries: str) -> dict[str, str]:
    """{"sh": "SH", "qu": "K W"} from "sh SH, qu K W"."""
    pairs = (entry.split(maxsplit=1) for entry in entries.split(","))
    return {letters: sound.rstrip() for letters, sound in pairs}


LETTER_NAMES = _table("""
    a EY, b B IY, c S IY, d D IY, e IY, f EH F, g JH IY, h EY CH, i AY, j JH EY, k K EY, l EH L, m EH M, n EH N, o OW,
    p P IY, q K Y UW, r AA R, s EH S, t T IY, u Y UW, v V IY, w D AH B AH L Y UW, x EH K S, y W AY, z Z IY
""")

# Common English spellings, the longer before the shorter.
SOUNDS = _table("""
    tion SH AH N, sion ZH AH N, ture CH ER, ough AO, augh AO, eigh EY,
    igh AY, tch CH, sch SH, dge JH, eau OW, ch CH, ck K, gh G, kn N, ng NG, ph F, qu K W, sh SH, th TH, wh W, wr R,
    ce S EH, ci S IH, cy S IY, ge JH EH, ai EY, ar AA R, au AO, aw AO, ay EY, ea IY, ee IY, ei EY, er ER, eu UW, ew UW,
    ie IY, ir ER, oa OW, oi OY, oo UW, or AO R, ou AW, ow OW, oy OY, ue UW, ui UW, ur ER,
    a AE, b B, c K, d D, e EH, f F, g G, h HH, i IH, j JH, k K, l L, m M, n N, o AA, p P, q K, r R, s S, t T, u AH,
    v V, w W, x K S, y IY, z Z
""")
SPELLING = re.compile("|".join(SOUNDS))
DOUBLED = re.compile(r"([bcdfgklmnprstvz])\1")
SILENT_E = re.compile(r"(?<=[aeiouy])([^aeiouy]+)e$")


@cache
def dictionary() -> dict[str, str]:
    """The English words that pocketsphinx knows, and the usual phones of each."""
    from pocketsphinx import get_model_path

    lines = Path(get_model_path(), "en-us", "cmudict-en-us.dict").read_text("utf-8").splitlines()
    entries = (line.split(maxsplit=1) for line in lines)
    return {word: phones for word, phones in entries if not word.endswith(")")}


def spoken(token: str, lookup: Lookup) -> list[str]:
    """The words a reader says for one display token: twenty, five, percent for "25%"; none for a dash.

    Capitals that `lookup` does not know as a word are read letter by letter.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", token) if not unicodedata.combining(c))
    said: list[str] = []
    for piece in PIECE.finditer(plain.replace("’", "'")):
        if number := piece["number"]:
            said += _number(number, piece["ending"] or "")
            said += [UNITS[piece["money"]]] if piece["money"] else []
        elif digits := piece["digits"]:
            said += _number(digits, "")
        elif word := piece["word"]:
            initials = word.isupper() and not lookup(word.lower())
            said += list(word.lower().replace("'", "")) if initials else [word.lower()]
        else:
            said.append(SIGNS[piece["sign"]])
    return said


def phones(word: str, lookup: Lookup) -> str:
    """The ARPAbet phones of one lower-case word: the dictionary's, else by its stem or parts, else by its letters."""
    return lookup(word) or _by_stem(word, lookup) or _by_parts(word, lookup) or _by_letters(word)


def _number(digits: str, ending: str) -> list[str]:
    plain = digits.replace(",", "")
    if len(plain.partition(".")[0]) > LONGEST_NUMBER or (plain.startswith("0") and len(plain) > 1 and plain.isdigit()):
        return [num2words(int(digit)) for digit in plain if digit.isdigit()]
    if "." in plain:
        whole, _, fraction = plain.partition(".")
        return [*_words(num2words(int(whole))), "point", *(num2words(int(digit)) for digit in fraction)]
    value = int(plain)
    if ending in ("st", "nd", "rd", "th"):
        return _words(num2words(value, to="ordinal"))
    said = _words(num2words(value, to="year" if value in YEARS and "," not in digits else "cardinal"))
    return [*said[:-1], _plural(said[-1])] if ending == "s" else said


def _words(number: str) -> list[str]:
    return [word for word in re.findall(r"[a-z]+", number) if word != "and"]


def _plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("y") else word + "es" if word.endswith("x") else word + "s"


def _by_stem(word: str, lookup: Lookup) -> str | None:
    for suffix, sound in SUFFIXES.items():
        stem = word.removesuffix(suffix)
        if stem == word or len(stem) < SHORTEST_STEM:
            continue
        for candidate in (stem, stem + "e", DOUBLED.sub(r"\1", stem)):
            if known := lookup(candidate):
                return f"{known} {sound}".strip()
    return None


def _by_parts(word: str, lookup: Lookup) -> str | None:
    """Two known words written as one, such as "livestream"."""
    for cut in range(SHORTEST_STEM, len(word) - SHORTEST_STEM + 1):
        first, second = lookup(word[:cut]), lookup(word[cut:])
        if first and second:
            return f"{first} {second}"
    return None


def _by_letters(word: str) -> str:
    letters = re.sub("[^a-z]", "", word)
    if not re.search("[aeiouy]", letters):
        return " ".join(LETTER_NAMES[letter] for letter in letters)
    letters = SILENT_E.sub(r"\1", DOUBLED.sub(r"\1", letters))
    return " ".join(SOUNDS[match.group()] for match in SPELLING.finditer(letters))
