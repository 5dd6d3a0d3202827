"""The codes that a Context's warnings may have: those of its schema. `docs/context.md` says what each one means."""

from functools import cache

from svc.core import schema


@cache
def codes() -> frozenset[str]:
    warning = schema.load("context")["properties"]["warnings"]["items"]
    return frozenset(warning["properties"]["code"]["enum"])
