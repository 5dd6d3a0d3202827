"""What a question asks for: a kind of answer, words to look for, a stretch of time. Turns of phrase: questions.toml."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from svc.engine.synthesis.language import NOUNS_CAPITALISED, UNSPACED, Language
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
DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
QUOTED = re.compile(r"[\"“”«„「]([^\"“”«»„「」]{1,200})[\"“”»」]")
LAST = -1  # as the number of a slide


class Span(NamedTuple):
    """Seconds that are asked about. `near` is the one that matters most: a moment, or the edge that is meant."""

    start: float
    end: float
    near: float
    is_moment: bool = False
    is_edge: bool = False


@dataclass
class Question:
    """`terms` are the stems to look for in their order, `names` those of them that are names; `wants` is the kind of
    answer that is needed, `general` what of the whole is asked for. `screen`, `happens` and `spoken` tell whether it is
    asked what can be seen, what goes on, or what is said. `span` are the seconds, `speaker` is the one whose words are
    asked for, `slide` the number of a slide, `phrase` the very words of which it is asked who says them."""

    text: str
    terms: list[str]
    names: set[str]
    wants: str | None
    general: str | None
    screen: bool
    happens: bool
    spoken: bool
    span: Span | None
    speaker: str | None
    slide: int | None
    phrase: str

    @classmethod
    def of(cls, text: str, language: Language, duration: float, speakers: dict[str, str]) -> "Question":
        """`duration` is the recording's in seconds, `speakers` what each is called, by id."""
        text = readable(text).replace("’", "'")
        asked = asked_in(text)
        codes = [code for code in dict.fromkeys((language.code, "en", *asked)) if code in tables()]
        span, rest = time_span(text, codes, duration)
        speaker, rest = asked_of(rest, speakers, codes)
        frame = frozenset(word for code in codes for word in frame_of(code))
        general = next((kind for kind in GENERAL if asks(kind, text, codes)), None)
        slide, rest = slide_asked(rest, codes)
        named = unframed(unasked(general, rest, codes) if general else rest, codes)
        words = content_words(named, language, asked)
        specific = [word for word in words if word.lower() not in frame]
        specific = specific or ([] if general or span or speaker or slide or asks("screen", text, codes) else words)
        terms = [term for word in specific for term in language.terms(word)] + DIGITS.findall(rest)
        return cls(
            text=text,
            terms=list(dict.fromkeys(terms))[:MOST_TERMS],
            wants=next((want for want in WANTS if asks(want, text, codes)), None),
            names=names(specific, text, language),
            general=general,
            screen=asks("screen", text, codes),
            happens=asks("happens", text, codes),
            spoken=asks("spoken", text, codes),
            span=span,
            speaker=speaker,
            slide=slide,
            phrase=phrase_asked(text, codes),
        )


def asked_in(text: str) -> list[str]:
    """The languages whose question words a question opens with; English before the others, which share some."""
    found = [code for code in tables() if (opening := turns(code).get("opens")) and opening.match(text.lstrip(' ¿¡«"'))]
    return ["en"] if "en" in found else found


def phrase_asked(text: str, codes: list[str]) -> str:
    """The words that a question asks for as they were said: in quotation marks, or after "who says"."""
    if found := QUOTED.search(text):
        return found[1]
    for asked in filter(None, (turns(code).get("who_says") for code in codes)):
        if found := asked.search(text):
            return text[found.end() :].strip(" ?.!,'")
    return ""


def slide_asked(text: str, codes: list[str]) -> tuple[int | None, str]:
    """The number of the slide that a question asks about, LAST for the last, and the question without it."""
    for code in codes:
        for number, shape in slide_shapes(code):
            if found := shape.search(text):
                return number or int(next(filter(None, found.groups()))), without(found, text)
    return None, text


def asked_of(text: str, speakers: dict[str, str], codes: list[str]) -> tuple[str | None, str]:
    """The speaker whose words a question asks for ("What did Ann say about …"), and the question without the name."""
    lower = text.lower()
    for id, name in speakers.items():
        if not any(part in lower for part in (name.lower(), id.lower(), "speaker")):
            continue
        called = rf"(?<!\w)(?:{re.escape(name)}|{id}|speaker {id.removeprefix('S')})(?!\w)"
        found = re.search(called, text, re.IGNORECASE)
        if found and asks("says", text[found.end() :], codes):
            return id, without(found, text)
    return None, text


def content_words(text: str, language: Language, asked: list[str]) -> list[str]:
    """The words to look for: none of the small ones of the transcript's language, or of those that were `asked` in."""
    words = language.words(text)
    small = [language, *(Language(code) for code in asked)]
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


def unframed(text: str, codes: list[str]) -> str:
    """The question without what names nothing to look for, where its language is written without spaces."""
    for code in UNSPACED.intersection(codes):
        text = re.sub("|".join(sorted(frame_of(code), key=len, reverse=True)), " ", text)
    return text


def asks(kind: str, text: str, codes: list[str]) -> bool:
    return any(found and found.search(text) for found in (turns(code).get(kind) for code in codes))


def answers(want: str, code: str) -> re.Pattern[str] | None:
    """By what a sentence of the language shows that it has the kind of answer that is wanted."""
    return turns(code).get(f"answers.{want}")


LISTS = ("frame", "ordinals", "cardinals", "slide", "last", "answers")


@cache
def tables() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("questions.toml").read_text("utf-8"))


@cache
def turns(code: str) -> dict[str, re.Pattern[str]]:
    table = tables().get(code, {})
    shaped = anywhere if code in UNSPACED else pattern
    found = {name: shaped(text) for name, text in table.items() if name not in LISTS}
    return found | {f"answers.{name}": shaped(text) for name, text in table.get("answers", {}).items()}


def anywhere(text: str) -> re.Pattern[str]:
    """A regular expression over several lines, for a language that does not part its words."""
    return re.compile("|".join(text.strip("\n").split("\n")), re.IGNORECASE)


@cache
def slide_shapes(code: str) -> list[tuple[int, re.Pattern[str]]]:
    """How a language names a slide by its number ("slide 2", "the second slide"); 0 where the number is in the text."""
    table = tables()[code]
    if "slide" not in table:
        return []
    start, end, noun = ("", "", table["slide"]) if code in UNSPACED else (r"(?<!\w)", r"(?!\w)", table["slide"])
    after = rf"(?:{noun})\W*(?:n\w{{0,6}}\W{{0,2}})?(\d{{1,3}})(?!\d|:\d)"
    before = rf"(\d{{1,3}})(?:\.|\w{{0,2}})\s*(?:{noun})"
    ordinals = [*enumerate(table["ordinals"].split(), 1), (LAST, table["last"])]
    shapes = [
        (0, f"{after}|{before}"),
        *((number, rf"(?:{word})\s*(?:{noun})|(?:{noun})\s+(?:{word})") for number, word in ordinals),
        *((number, rf"(?:{noun})\s+{word}") for number, word in enumerate(table.get("cardinals", "").split(), 1)),
    ]
    return [(number, re.compile(f"{start}(?:{shape}){end}", re.IGNORECASE)) for number, shape in shapes]


@cache
def frame_of(code: str) -> frozenset[str]:
    return frozenset(tables()[code]["frame"].split())


def time_span(text: str, codes: list[str], duration: float) -> tuple[Span | None, str]:
    """The seconds that a question names, if any, and the question without them."""
    if found := BETWEEN.search(text):
        first, last = sorted((clock(*found.groups()[:3]), clock(*found.groups()[3:])))
        return Span(first, last, (first + last) / 2), without(found, text)
    if found := AT_CLOCK.search(text):
        at = clock(*found.groups())
        return Span(at - NEAR_SECONDS, at + NEAR_SECONDS, at, is_moment=True), without(found, text)
    if found := FIRST_OR_LAST.search(text):
        length = amount(found[2], found[3])
        first = found[1].lower() in ("first", "opening")
        span = Span(0.0, length, 0.0) if first else Span(duration - length, duration, duration)
        return span, without(found, text)
    if found := AT_AMOUNT.search(text):
        unit, number = (found[1] or found[4])[0].lower(), found[2] or found[3]
        at, near = amount(number, unit), NEAR_SECONDS if unit == "s" else EDGE_SECONDS / 2
        return Span(at - near, at + near, at, is_moment=unit == "s"), without(found, text)
    if asks("start", text, codes):
        return Span(0.0, EDGE_SECONDS, 0.0, is_edge=True), text
    if asks("end", text, codes):
        return Span(duration - EDGE_SECONDS, duration, duration, is_edge=True), text
    return None, text


def without(found: re.Match[str], text: str) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"


def clock(hours: str | None, minutes: str, seconds: str) -> float:
    return int(hours or 0) * 3600.0 + int(minutes) * 60 + int(seconds)


def amount(number: str | None, unit: str) -> float:
    count = WORDS.get((number or "a").lower())
    return (float(number or 1) if count is None else count) * UNITS[unit[0].lower()]
