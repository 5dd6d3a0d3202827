"""What a question asks for: a kind of answer, words to look for, a stretch of time. Turns of phrase: questions.toml."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from svc.engine.synthesis.language import NOUNS_CAPITALISED, Language
from svc.engine.synthesis.phrases import pattern
from svc.engine.writing.material import readable

# What is answered from the whole of a Context when a question names nothing in it; the first that fits.
GENERAL = (
    "speakers",
    "length",
    "title",
    "decisions",
    "highlights",
    "points",
    "chapters",
    "people",
    "organizations",
    "products",
    "places",
    "summary",
)
WANTS = ("number", "date", "place", "person", "reason", "way")
MOST_TERMS = 40
CLOCK = r"(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)"
AMOUNT = r"(\d+(?:\.\d+)?|a|one|two|three|four|five|ten|few|couple of)?\s*(hours?|minutes?|mins?|seconds?|secs?|[hms])"
WORDS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "few": 3, "couple of": 2}
UNITS = {"h": 3600, "m": 60, "s": 1}
BETWEEN = re.compile(rf"{CLOCK}\s*(?:and|to|until|till|bis|und|à|et|a|y|e|-|–)\s*{CLOCK}", re.IGNORECASE)
AT_CLOCK = re.compile(rf"(?<![\d:]){CLOCK}(?![\d:])")
FIRST_OR_LAST = re.compile(rf"\b(first|last|opening|closing|final)\s+{AMOUNT}\b", re.IGNORECASE)
AT_AMOUNT = re.compile(
    r"\b(?:at|around|after)\s+(?:the\s+)?(?:(minute|second|hour)\s+(\d+)|(\d+)(?:st|nd|rd|th)?\s*(h|m|s)\w*)\b",
    re.IGNORECASE,
)
NEAR_SECONDS = 10.0
EDGE_SECONDS = 60.0
ENGLISH = re.compile(
    r"\W*(?:what|who|whose|when|where|why|which|how|is|are|was|did|does|do|can|tell|list|give)\b", re.I
)
DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
Span = tuple[float, float]


@dataclass
class Question:
    """`terms` are the stems to look for in their order, `names` those of them that are names; `wants` is the kind of
    answer that is needed, `general` what of the whole is asked for, `screen` whether what can be seen is. `span` are
    the seconds and `speaker` is the one whose words are asked for."""

    text: str
    terms: list[str]
    names: set[str]
    wants: str | None
    general: str | None
    screen: bool
    span: Span | None
    speaker: str | None

    @classmethod
    def of(cls, text: str, language: Language, duration: float, speakers: dict[str, str]) -> "Question":
        """`duration` is the recording's in seconds, `speakers` what each is called, by id."""
        text = readable(text)
        codes = [code for code in dict.fromkeys((language.code, "en")) if code in tables()]
        span, rest = time_span(text, codes, duration)
        speaker, rest = asked_of(rest, speakers, codes)
        frame = frozenset(word for code in codes for word in frame_of(code))
        general = next((kind for kind in GENERAL if asks(kind, text, codes)), None)
        words = content_words(unasked(general, rest, codes) if general else rest, language)
        specific = [word for word in words if word.lower() not in frame]
        specific = specific or ([] if general or span or speaker or asks("screen", text, codes) else words)
        terms = [term for word in specific for term in language.terms(word)] + DIGITS.findall(rest)
        return cls(
            text=text,
            terms=list(dict.fromkeys(terms))[:MOST_TERMS],
            wants=next((want for want in WANTS if asks(want, text, codes)), None),
            names=names(specific, text, language),
            general=general,
            screen=asks("screen", text, codes),
            span=span,
            speaker=speaker,
        )


def asked_of(text: str, speakers: dict[str, str], codes: list[str]) -> tuple[str | None, str]:
    """The speaker whose words a question asks for ("What did Ann say about …"), and the question without the name."""
    lower = text.lower()
    for id, name in speakers.items():
        if name.lower() not in lower and id.lower() not in lower:
            continue
        found = re.search(rf"(?<!\w)(?:{re.escape(name)}|{id})(?!\w)", text, re.IGNORECASE)
        if found and asks("says", text[found.end() :], codes):
            return id, without(found, text)
    return None, text


def content_words(text: str, language: Language) -> list[str]:
    """The words to look for: none of the small ones of the transcript's language, or of English if asked in that."""
    words = language.words(text)
    small = [language, *([Language("en")] if ENGLISH.match(text) else [])]
    return [word for word in words if all(is_telling(word, one) for one in small)]


def is_telling(word: str, language: Language) -> bool:
    return language.is_content(word) and not language.is_stop(language.stem(word))


def names(words: list[str], text: str, language: Language) -> set[str]:
    """The stems of words with a capital that are not the first, where not every noun has one."""
    if language.code in NOUNS_CAPITALISED or not language.spaced or text.isupper():
        return set()
    first = language.words(text)[:1]
    return {language.stem(word) for word in words if word[0].isupper() and word not in first}


def unasked(kind: str, text: str, codes: list[str]) -> str:
    """The question without the words by which it asks for something of the whole."""
    for found in filter(None, (turns(code).get(kind) for code in codes)):
        text = found.sub(" ", text)
    return text


def asks(kind: str, text: str, codes: list[str]) -> bool:
    return any(found and found.search(text) for found in (turns(code).get(kind) for code in codes))


def answers(want: str, code: str) -> re.Pattern[str] | None:
    """By what a sentence of the language shows that it has the kind of answer that is wanted."""
    return turns(code).get(f"answers.{want}")


@cache
def tables() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("questions.toml").read_text("utf-8"))


@cache
def turns(code: str) -> dict[str, re.Pattern[str]]:
    table = tables().get(code, {})
    found = {name: pattern(text) for name, text in table.items() if name not in ("frame", "answers")}
    return found | {f"answers.{name}": pattern(text) for name, text in table.get("answers", {}).items()}


@cache
def frame_of(code: str) -> frozenset[str]:
    return frozenset(tables()[code]["frame"].split())


def time_span(text: str, codes: list[str], duration: float) -> tuple[Span | None, str]:
    """The seconds that a question names, if any, and the question without them."""
    if found := BETWEEN.search(text):
        span = clock(*found.groups()[:3]), clock(*found.groups()[3:])
        return (min(span), max(span)), without(found, text)
    if found := AT_CLOCK.search(text):
        at = clock(*found.groups())
        return (at - NEAR_SECONDS, at + NEAR_SECONDS), without(found, text)
    if found := FIRST_OR_LAST.search(text):
        length = amount(found[2], found[3])
        first = found[1].lower() in ("first", "opening")
        return ((0.0, length) if first else (duration - length, duration)), without(found, text)
    if found := AT_AMOUNT.search(text):
        unit, number = (found[1] or found[4])[0].lower(), found[2] or found[3]
        at, near = amount(number, unit), NEAR_SECONDS if unit == "s" else EDGE_SECONDS / 2
        return (at - near, at + near), without(found, text)
    if asks("start", text, codes):
        return (0.0, EDGE_SECONDS), text
    if asks("end", text, codes):
        return (duration - EDGE_SECONDS, duration), text
    return None, text


def without(found: re.Match[str], text: str) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"


def clock(hours: str | None, minutes: str, seconds: str) -> float:
    return int(hours or 0) * 3600.0 + int(minutes) * 60 + int(seconds)


def amount(number: str | None, unit: str) -> float:
    count = WORDS.get((number or "a").lower())
    return (float(number or 1) if count is None else count) * UNITS[unit[0].lower()]
