"""Turns of speech by language, read from phrases.toml, which says what each is for."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class Phrases:
    """One language's turns of speech; without any, for a language that is not listed."""

    fillers: frozenset[str] = frozenset()
    leads: tuple[str, ...] = ()
    weak_leads: frozenset[str] = frozenset()
    glued: frozenset[str] = frozenset()
    dependent: frozenset[str] = frozenset()
    clauses: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    vague: frozenset[str] = frozenset()
    personal: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    content: frozenset[str] = frozenset()
    grammar: frozenset[str] = frozenset()
    subordinate: frozenset[str] = frozenset()
    conjunction: str | None = None
    dialogue: str | None = None
    round: str | None = None
    announcement: re.Pattern[str] = NEVER
    housekeeping: re.Pattern[str] = NEVER
    moments: dict[str, re.Pattern[str]] = field(default_factory=dict)


@cache
def phrases_of(code: str) -> Phrases:
    """By the two letters of a language."""
    listed = tables().get(code)
    return Phrases(**{name: READERS.get(name, words)(value) for name, value in listed.items()}) if listed else Phrases()


@cache
def tables() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("phrases.toml").read_text("utf-8"))


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def commas(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split(",")]


def longest_first(text: str) -> tuple[str, ...]:
    return tuple(sorted(commas(text), key=len, reverse=True))


def pattern(text: str) -> re.Pattern[str]:
    """A regular expression over several lines; whatever matches stands there as whole words."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(text.split(chr(10))).strip('|')})(?!\w)", re.IGNORECASE)


READERS: dict[str, Callable[[Any], Any]] = {
    "leads": longest_first,
    "weak_leads": lambda text: frozenset(commas(text)),
    "glued": lambda text: frozenset(commas(text)),
    "conjunction": str,
    "dialogue": str,
    "round": str,
    "announcement": pattern,
    "housekeeping": pattern,
    "moments": lambda table: {kind: pattern(text) for kind, text in table.items()},
}
