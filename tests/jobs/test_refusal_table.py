"""`docs/refusals.md` against the code: its tests exist, its statuses are the catalogue's, and no code is missing."""

import re
from pathlib import Path

import pytest

from app import create_app
from svc.core import openapi
from svc.core.describe import description_of
from svc.core.errors import status_of
from svc.core.settings import Settings

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (\d{3}) \| `(\w+)` \| .+ \| (\S+)::(\w+) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs/refusals.md").read_text())
ROOMS = ("jobs", "status", "service", "inbox")
MISFIT = ("422", "invalid_request")
OF_SESSIONS = {"bad_origin"}


def codes():
    """Every code that a route of jobs, uploads, the status, the inbox and the service itself may answer."""
    app = create_app(Settings())
    views = [app.view_functions[rule.endpoint] for rule in openapi.api_rules(app) if openapi.tag(rule) in ROOMS]
    return {code for view in views for code in openapi.refusals(description_of(view))} - OF_SESSIONS


def test_every_code_has_a_row():
    assert codes() <= {code for _, code, _, _ in ROWS}


@pytest.mark.parametrize(("status", "code"), sorted({row[:2] for row in ROWS}))
def test_a_row_has_the_status_of_its_code(status, code):
    assert int(status) == status_of(code) or (status, code) == MISFIT


@pytest.mark.parametrize(("file", "test"), sorted({row[2:] for row in ROWS}))
def test_the_test_of_a_row_exists(file, test):
    assert re.search(rf"^def {test}\(", (ROOT / file).read_text(), re.MULTILINE)


def test_every_row_was_read():
    lines = (ROOT / "docs/refusals.md").read_text().splitlines()
    assert len(ROWS) == sum(line.startswith("| ") for line in lines) - 2 * sum(line.startswith("## ") for line in lines)
