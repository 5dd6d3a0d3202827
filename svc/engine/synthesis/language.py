"""What the synthesis knows of a language: its words, the ones without content, and their stems.

Stop words come from stopwords-iso and stems from Snowball, where they have the language; others get plain words.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from svc.engine.synthesis.phrases import phrases_of

ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
ALIASES = {"nb": "no", "nn": "no", "yue": "zh", "cmn": "zh", "iw": "he", "in": "id", "fil": "tl"}
UNSPACED = {"zh", "ja", "th", "lo", "km", "my"}
UNSPACED_SENTENCES = {"zh", "ja"}
# Where every noun has a capital.
NOUNS_CAPITALISED = {"de", "lb"}
UNKNOWN = "und"

# Letters and digits, with the marks that Indic, Arabic and Hebrew scripts and decomposed accents are written with.
LETTERS = r"(?:[^\W_]|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff])+"
WORD = re.compile(rf"{LETTERS}(?:['’.\-]{LETTERS})*")
# French and Italian articles and the like that are written to the next word: l'homme, dell'arte.
ELISION = r"(?:[cdjlmnstv]|qu|lorsqu|jusqu|puisqu|(?:d|n|s)?[aeu]ll|un|quest)['’](?=\w)"
ELIDED_WORD = re.compile(rf"\b{ELISION}|{WORD.pattern}", re.IGNORECASE)
ELIDING = {"fr", "it", "ca"}
# Without spaces: runs of one script. Japanese grammar is written in hiragana, which is left out.
RUN = re.compile(r"[\u3400-\u9fff々]+|[\u30a1-\u30ffー]{2,}|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+|[A-Za-z0-9]+")
LETTERS_A_WORD = 2
MIN_LETTERS = 2
SAMPLE_LETTERS = 3000
MIN_SAMPLE_WORDS = 3


class Language:
    """One language by its BCP-47 tag. `of` also finds the tag out when there is none."""

    def __init__(self, tag: str):
        self.tag = tag
        code = tag.replace("_", "-").split("-")[0].lower()
        self.code = ALIASES.get(code, code)
        self.spaced = self.code not in UNSPACED
        self._word = ELIDED_WORD if self.code in ELIDING else WORD
        self.phrases = phrases_of(self.code)
        self._stems: dict[str, str] = {}
        self._content: dict[str, bool] = {}

    @classmethod
    def of(cls, tag: str | None, text: str) -> "Language":
        return cls(tag or detect(text))

    @cached_property
    def stop_words(self) -> frozenset[str]:
        from stopwordsiso import has_lang, stopwords

        listed = frozenset(stopwords(self.code)) if has_lang(self.code) else frozenset()
        return listed - self.phrases.content

    @cached_property
    def _stemmer(self):
        if self.code not in ALGORITHMS:
            return None
        import Stemmer

        return Stemmer.Stemmer(ALGORITHMS[self.code])

    @cached_property
    def _grammar(self) -> re.Pattern[str]:
        """What parts the words of a text without spaces: its longer stop words and its grammatical characters."""
        parting = {word for word in self.stop_words if len(word) > 1} | self.phrases.grammar
        return re.compile("|".join(map(re.escape, sorted(parting, key=len, reverse=True))) or "(?!)")

    def words(self, text: str) -> list[str]:
        """The words as written. Without spaces between them, the pieces that stand between grammatical words."""
        if self.spaced:
            return self._word.findall(text)
        parted = text if self.code == "ja" else self._grammar.sub(" ", text)
        return [run for run in RUN.findall(parted) if len(run) > 1]

    def joined(self, texts: Iterable[str]) -> str:
        """Words or sentences in a row."""
        return ("" if self.code in UNSPACED_SENTENCES else " ").join(texts)

    def length(self, text: str) -> int:
        """How many words long a text is, about."""
        if self.spaced:
            return len(text.split())
        return sum(1 for letter in text if letter.isalnum()) // LETTERS_A_WORD

    def is_content(self, word: str) -> bool:
        """Whether a word means something by itself."""
        if word not in self._content:
            self._content[word] = self._means_something(word)
        return self._content[word]

    def _means_something(self, word: str) -> bool:
        lower = word.lower().replace("’", "'")
        if len(lower) < MIN_LETTERS or lower.endswith("'") or not any(letter.isalpha() for letter in lower):
            return False
        return not self.is_stop(lower) and not self.is_stop(lower.split("'")[0])

    def is_stop(self, lower: str) -> bool:
        return lower in self.stop_words or lower in self.phrases.fillers

    def stem(self, word: str) -> str:
        lower = word.lower().replace("’", "'")
        if lower not in self._stems:
            self._stems[lower] = self._stemmer.stemWord(lower.removesuffix("'s")) if self._stemmer else lower
        return self._stems[lower]

    def terms(self, text: str) -> Counter[str]:
        """The stems of the content words with their counts; without spaces, pairs of characters."""
        words = [word for word in self.words(text) if self.is_content(word)]
        if self.spaced:
            return Counter(map(self.stem, words))
        return Counter(pair for word in words for pair in pairs(word))


def pairs(word: str) -> list[str]:
    if word.isascii():
        return [word.lower()]
    return [word[at : at + 2] for at in range(len(word) - 1)]


def detect(text: str) -> str:
    """The language of a text, `und` when there is too little of it."""
    sample = text[:SAMPLE_LETTERS]
    if Language(UNKNOWN).length(sample) < MIN_SAMPLE_WORDS and len(sample) < 2 * MIN_SAMPLE_WORDS:
        return UNKNOWN
    import py3langid

    return py3langid.classify(sample)[0]
