"""Names whose kind is known: countries and cities of the time-zone database, others from names.toml."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from svc.engine.synthesis.phrases import commas

CITY_ZONE_PARTS = 2


@cache
def lists() -> dict[str, list[str]]:
    table = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))
    return {name: commas(text.strip()) for name, text in table.items()}


@cache
def listed(name: str) -> frozenset[str]:
    """One of the lists in lower case."""
    return frozenset(entry.lower() for entry in lists()[name])


@cache
def known() -> dict[str, tuple[str, str]]:
    """By its lower-case form, each known name as it is written and its kind.

    Countries are those of iso3166.tab, cities the last parts of the zone names.
    """
    zoneinfo = files("tzdata").joinpath("zoneinfo")
    countries = [row[1].split(" (")[0] for row in rows(zoneinfo.joinpath("iso3166.tab").read_text("utf-8"))]
    zones = [row[2].split("/") for row in rows(zoneinfo.joinpath("zone.tab").read_text("utf-8"))]
    cities = [zone[1].replace("_", " ") for zone in zones if len(zone) == CITY_ZONE_PARTS and zone[0] != "Antarctica"]
    kinds = {"places": [*countries, *cities, *lists()["places"]]}
    kinds |= {kind: lists()[kind] for kind in ("organizations", "products")}
    names = {name.lower(): (name, kind) for kind, entries in kinds.items() for name in entries}
    return {name: entry for name, entry in names.items() if name not in listed("not_places")}


def rows(table: str) -> list[list[str]]:
    return [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]


@cache
def spellings() -> re.Pattern[str]:
    """Finds the known names in a text without capitals, but for those that are common words."""
    names = sorted(known().keys() - listed("common_words"), key=len, reverse=True)
    return re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE)


def spelled(text: str) -> str:
    """The text with its known names written as they usually are."""
    return spellings().sub(lambda match: known()[match.group().lower()][0], text)


def kind_of(words: Sequence[str]) -> str | None:
    """The kind of a capitalised name, None when nothing tells it."""
    lower = [word.lower().rstrip(".") for word in words]
    if entry := known().get(" ".join(lower)):
        return entry[1]
    if len(words) == 1:
        return None
    if listed("organization_words").intersection(lower):
        return "organizations"
    if lower[0] in listed("honorifics") or lower[0] in listed("first_names"):
        return "people"
    if lower[-1] in listed("place_words"):
        return "places"
    return "products" if is_model(words[-1]) else None


def is_model(word: str) -> bool:
    """Letters and digits together, as in a product's name."""
    return any(letter.isdigit() for letter in word) and any(letter.isalpha() for letter in word)
