"""What a Context may hold, by its schema, is held by some Context of a real source; and every one fits its schema."""

from typing import Any

import pytest
from contexts_made import Sources

from svc.core import schema

NEVER = {
    "source.kind=prepared": "in the contract's list, and not used",
    "meta.live=True": "a live stream is refused",
    "transcript.words[].synthetic=False": "said only of words whose time was interpolated",
}
"""What the schema allows and no Context has, with the reason."""


def possible(part: dict[str, Any], path: str = "") -> set[str]:
    """What the schema allows: every path, each value of enums, booleans and null, and of numbers one that is not 0."""
    found = {path} if path else set()
    kinds = part.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    found |= {f"{path}={value}" for value in part.get("enum", ())}
    found |= {f"{path}={value}" for value in (True, False) if "boolean" in kinds}
    found |= {f"{path}=None"} if "null" in kinds else set()
    found |= {f"{path}≠0"} if {"number", "integer"} & set(kinds) else set()
    for name, inner in part.get("properties", {}).items():
        found |= possible(inner, f"{path}.{name}" if path else name)
    return found | (possible(part["items"], f"{path}[]") if "items" in part else set())


def shown(value: Any, path: str = "") -> set[str]:
    """What a document shows, in the same words."""
    found = {path} if path else set()
    if isinstance(value, dict):
        return found.union(*(shown(inner, f"{path}.{name}" if path else name) for name, inner in value.items()))
    if isinstance(value, list):
        return found.union(*(shown(inner, f"{path}[]") for inner in value))
    if isinstance(value, int | float) and not isinstance(value, bool) and value:
        found.add(f"{path}≠0")
    return found | {f"{path}={value}"}


@pytest.fixture(scope="module")
def seen(every_context):
    return set().union(*map(shown, every_context.values()))


@pytest.mark.parametrize("name", Sources.names())
def test_a_context_fits_its_schema(made, name):
    schema.check("context", made(name))


def test_everything_that_is_possible_occurs(seen):
    assert possible(schema.load("context")) - seen == NEVER.keys()


def test_each_role_names_its_model(every_context):
    assert {role for context in every_context.values() for role in context["produced"]["models"]} == {
        "asr",
        "visual",
        "synthesis",
    }


def test_an_unknown_field_is_told_from_the_known():
    assert "meta.colour" not in possible(schema.load("context"))
    assert shown({"meta": {"colour": 1}}) == {"meta", "meta.colour", "meta.colour=1", "meta.colour≠0"}
