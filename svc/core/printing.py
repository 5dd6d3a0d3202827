"""How commands print for people: aligned columns, short dates, ages and sizes."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from svc.core import clock

GAP = "  "
UNITS = ("B", "KB", "MB", "GB", "TB")
AGES = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s"))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Left-aligned columns under their heads."""
    lines = [list(heads), *([printable(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def record(fields: dict[str, str]) -> str:
    """One thing, a line a field."""
    width = max(map(len, fields))
    return "\n".join(f"{name.ljust(width)}{GAP}{printable(value)}" for name, value in fields.items())


def printable(text: str) -> str:
    """Without what could move a terminal's cursor: titles and names come from strangers."""
    return "".join(c if c.isprintable() else " " for c in text)


def shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def day(ms: int | None) -> str:
    """A time as its day in UTC; a dash for none."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d") if ms is not None else "-"


def moment(ms: int | None) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if ms is not None else "-"


def age(ms: int) -> str:
    """How long ago a time was, in its largest unit."""
    past = max(0, clock.now_ms() - ms)
    length, unit = next((step for step in AGES if past >= step[0]), AGES[-1])
    return f"{past // length} {unit}"


def size(count: int) -> str:
    """Bytes in their largest unit (1 KB is 1024 bytes)."""
    amount, unit = float(count), 0
    while amount >= 1024 and unit < len(UNITS) - 1:
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.1f} {UNITS[unit]}" if unit else f"{count} B"
