"""The one clock: everything that stores or compares a date reads it here, so that tests can move it."""

import time
from datetime import UTC, datetime


def now_ms() -> int:
    """Milliseconds since the Unix epoch."""
    return int(time.time() * 1000)


def now() -> datetime:
    return datetime.now(UTC)


def iso_now() -> str:
    """This moment as an ISO 8601 time in UTC, to the second."""
    return now().strftime("%Y-%m-%dT%H:%M:%SZ")
