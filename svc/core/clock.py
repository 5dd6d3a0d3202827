"""The one clock: everything that stores or compares a date reads it here, so that tests can move it."""

import time
from datetime import UTC, datetime, timedelta


def now_ms() -> int:
    """Milliseconds since the Unix epoch."""
    return int(time.time() * 1000)


def now() -> datetime:
    return datetime.now(UTC)


def iso(ms: int) -> str:
    """Epoch milliseconds as an ISO 8601 time in UTC, to the second."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_now() -> str:
    return iso(now_ms())


def day_key() -> str:
    """This day in UTC: `2026-11-20`."""
    return now().strftime("%Y-%m-%d")


def month_key() -> str:
    """This calendar month in UTC: `2026-11`."""
    return now().strftime("%Y-%m")


def month_bounds() -> tuple[int, int]:
    """The first instant of this month and of the next, in epoch milliseconds."""
    start = now().replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    after = (start + timedelta(days=32)).replace(day=1)
    return to_ms(start), to_ms(after)


def next_day_ms() -> int:
    """The first instant of tomorrow in UTC, in epoch milliseconds."""
    return to_ms(now().replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1))


def to_ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
