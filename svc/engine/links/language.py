"""Language tags as BCP-47, from the many spellings that sites use."""

import re
from typing import Any

from svc.engine.language import short_code

# Language, script and region; what a site appends (YouTube: `en-nP7-2PuUl7o`) is left out.
LANGUAGE_TAG = re.compile(r"([a-z]{2,3})(-[a-z]{4}(?=-|$))?((?:-[a-z]{2}|-\d{3})(?=-|$))?(?=-|$)", re.IGNORECASE)


def language_tag(value: Any) -> str | None:
    """`pt_br` is pt-BR, `eng` is en; None when it is no language."""
    match = LANGUAGE_TAG.match(str(value or "").replace("_", "-"))
    if not match or not short_code(match[1]):
        return None
    script, region = (match[2] or "").title(), (match[3] or "").upper()
    return f"{short_code(match[1])}{script}{region}"


def same_language(one: str | None, other: str | None) -> bool:
    """Whether two tags name the same language, whatever the region."""
    return short_code(one) is not None and short_code(one) == short_code(other)
