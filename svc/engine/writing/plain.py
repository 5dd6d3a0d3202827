"""What a language model wrote, made fit to be shown: plain text, of bounded length, without links it made up."""

import re
from collections.abc import Iterable

from svc.engine.synthesis.wording import clipped
from svc.engine.writing.material import UNREADABLE

TAG = re.compile(r"</?[a-zA-Z!][^<>]*>")
LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
EMPHASIS = re.compile(r"\*{1,3}(?=\S)([^*]+?)(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)([^_]+?)(?<=\S)_{1,3}(?!\w)|`+([^`]*)`+")
LEAD = re.compile(r"^\s*(?:[-*•>+]+\s+|#{1,6}\s+|\d{1,2}[.)]\s+)+", re.MULTILINE)
URL = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)\S+|\b(?:javascript|data|mailto):\S+", re.IGNORECASE)
MARKUP_SHARE = 4  # a text is not looked at beyond so many times what is shown of it
SEGMENT_NUMBERS = re.compile(r"\s*\[(?:segments?\s*)?\d+(?:\s*[,–-]\s*\d+)*\]")


def plain(text: str, letters: int, source: str) -> str:
    """One line without markup, numbers of segments, or any address that `source` does not have; clipped."""
    text = UNREADABLE.sub(" ", LEAD.sub("", text[: MARKUP_SHARE * letters]))
    text = LINK.sub(r"\1", TAG.sub(" ", text))
    text = EMPHASIS.sub(lambda match: next(part for part in match.groups() if part is not None), text)
    text = SEGMENT_NUMBERS.sub("", text)
    text = URL.sub(lambda match: match.group() if match.group().rstrip(".,;:!?)\"'”") in source else "", text)
    text = " ".join(text.split())
    return clipped(text, letters) if any(letter.isalnum() for letter in text) else ""


def distinct(texts: Iterable[str], most: int) -> list[str]:
    """Each text once, empty ones left out, letters compared without case."""
    found: dict[str, str] = {}
    for text in filter(None, texts):
        found.setdefault(text.casefold(), text)
    return list(found.values())[:most]
