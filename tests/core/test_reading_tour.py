"""The tour of docs/architecture.md stays true, and short."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_LINES = 600


def stops():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for file, names in re.findall(r"^\d+\. `([\w/.]+)`: (.+)$", text, re.MULTILINE):
        yield file, re.findall(r"`(\w+)`", names)


def lengths():
    for file, names in stops():
        nodes = {getattr(n, "name", ""): n for n in ast.parse((ROOT / file).read_text("utf-8")).body}
        for name in names:
            yield nodes[name].end_lineno - nodes[name].lineno + 1


def test_the_way_through_is_read_in_fewer_than_600_lines():
    found = list(lengths())
    assert len(found) > 15 and sum(found) < MOST_LINES
