"""What the API accepted once: taken and ignored until its day, an unknown field from then on."""

from datetime import UTC, datetime
from typing import Any

from svc.core import clock

EFFORT_ENDS = datetime(2026, 10, 9, tzinfo=UTC)


def without_effort(body: Any) -> Any:
    """The body without the option `effort`, while that is still accepted."""
    if clock.now() >= EFFORT_ENDS or not isinstance(body, dict) or not isinstance(body.get("options"), dict):
        return body
    options = {name: value for name, value in body["options"].items() if name != "effort"}
    return {**body, "options": options}
