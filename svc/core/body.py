"""How large a body a view takes. The web server reads the rule and refuses a wrong body by its headers alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from svc.core.limits import ServiceLimits

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class BodyRule:
    """`limit` is a number of bytes, or the name of a ServiceLimits field that holds it."""

    limit: int | str = "request_body_bytes"
    needs_length: bool = False

    def max_bytes(self, limits: ServiceLimits) -> int:
        return self.limit if isinstance(self.limit, int) else getattr(limits, self.limit)


DEFAULT_RULE = BodyRule()


def body_limit(limit: int | str, needs_length: bool = False) -> Callable[[View], View]:
    """Marks a view that takes bodies of up to `limit` bytes (413 above); `needs_length` refuses chunked ones (411)."""
    rule = BodyRule(limit, needs_length)

    def mark(view: View) -> View:
        view.body_rule = rule  # type: ignore[attr-defined]
        return view

    return mark


def rule_of(view: Callable[..., Any]) -> BodyRule:
    return getattr(view, "body_rule", DEFAULT_RULE)
