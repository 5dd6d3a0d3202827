"""How words are put together to text, in scripts with and without spaces."""

import re
from collections.abc import Iterable

from svc.engine.transcript import Word

# Scripts written without spaces between words: Thai to Tibetan, Myanmar, Khmer, and CJK with its punctuation.
SPACELESS = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff65"
    "\U00020000-\U0002fa1f]"
)


def spaceless(char: str) -> bool:
    return SPACELESS.match(char) is not None


def spell(words: Iterable[Word]) -> str:
    """The words as running text."""
    text = ""
    for word in words:
        text += word.text if not text or glued(text, word.text) else " " + word.text
    return text


def glued(left: str, right: str) -> bool:
    """Whether two pieces of text meet without a space."""
    return spaceless(left[-1:]) or spaceless(right[:1])
