"""`docs/context.md` against the code: every field and warning is in it, and its tests exist."""

import re

import pytest
from test_every_field import possible

from app import create_app
from svc.core import openapi, schema
from svc.core.settings import Settings
from svc.engine.warnings import codes

ROW = re.compile(r"^\| `([A-Z_]+)` \| .+ \| .+ \| (\S+)::(\w+) \|$", re.MULTILINE)
NAME = re.compile(r"^[\w.[\]]+$")
INNERMOST = re.compile(r"\w+(?=(?:\[\])*$)")


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs/context.md").read_text("utf-8")


def test_every_warning_has_one_row(page):
    assert sorted(code for code, _, _ in ROW.findall(page)) == sorted(codes())


def test_the_test_of_each_row_exists(page, root):
    for _, file, test in ROW.findall(page):
        assert re.search(rf"^def {test}\(", (root / file).read_text("utf-8"), re.MULTILINE)


def test_every_field_is_named(page):
    paths = [path for path in possible(schema.load("context")) if NAME.match(path)]
    names = {match[0] for path in paths if (match := INNERMOST.search(path))}
    assert {name for name in names if f"`{name}`" not in page} == set()


def test_every_value_is_named(page):
    values = {path.partition("=")[2] for path in possible(schema.load("context")) if "=" in path}
    assert {value for value in values - {"True", "False", "None"} if f"`{value}`" not in page} == set()


def test_the_api_description_lists_every_warning():
    context = openapi.document(create_app(Settings()))["components"]["schemas"]["Context"]
    assert set(context["properties"]["warnings"]["items"]["properties"]["code"]["enum"]) == codes()
