"""How words are put together to text and taken out of it, in scripts with and without spaces."""

import re
from collections.abc import Iterable, Sequence

from svc.engine.transcript import Word

# Scripts written without spaces between words: Thai to Tibetan, Myanmar, Khmer, and CJK with its punctuation.
SPACELESS = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff65"
    "\U00020000-\U0002fa1f]"
)
# A word of a spaced script, or one character of another, with the punctuation that touches it.
TOKEN = re.compile(rf"[^\w\s]*(?:(?=\w){SPACELESS.pattern}|(?:(?!{SPACELESS.pattern})\S)+)[^\w\s]*|[^\w\s]+")


def spaceless(char: str) -> bool:
    return SPACELESS.match(char) is not None


def spell(words: Iterable[Word]) -> str:
    """The words as running text."""
    return join(word.text for word in words)


def join(texts: Iterable[str]) -> str:
    joined = ""
    for text in texts:
        joined += text if not joined or glued(joined, text) else " " + text
    return joined


def glued(left: str, right: str) -> bool:
    """Whether two pieces of text meet without a space."""
    return spaceless(left[-1:]) or spaceless(right[:1])


def tokens(text: str) -> list[str]:
    """The words of a text, each with its punctuation; `join` is the inverse."""
    return TOKEN.findall(text)


def bare(text: str) -> str:
    """What of a word is compared: its letters and digits, in one case."""
    return "".join(char for char in text.casefold() if char.isalnum())


def spread(texts: Sequence[str], start: float, end: float) -> list[Word]:
    """Words over a stretch of time in proportion to their letters, their times marked as interpolated."""
    rate = (end - start) / max(1, sum(map(len, texts)))
    words = []
    for text in texts:
        words.append(Word(text, start, start + rate * len(text), synthetic=True))
        start = words[-1].end
    return words
