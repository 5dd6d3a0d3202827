"""What is no JSON, or no JSON that can be kept, is refused as such."""

import pytest

from svc.core import schema
from svc.core.http import parse_json


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b"1e999",
        b'"\\ud800"',
        b'"\xe9"',
        '{"a": 1}'.encode("utf-16"),
        b"[" * 5000,
    ],
)
def test_a_body_that_is_no_json_is_refused(body):
    with pytest.raises(schema.Invalid):
        parse_json(body)


def test_a_pair_of_surrogates_is_one_character():
    assert parse_json(b'"\\ud83d\\ude00"') == "😀"


def test_nesting_too_deep_to_describe_is_refused():
    nested = []
    for _ in range(2000):
        nested = [nested]
    with pytest.raises(schema.Invalid, match="nested too deeply"):
        schema.check("context-create", {"url": nested})


def test_a_wrong_value_is_not_quoted():
    with pytest.raises(schema.Invalid) as refused:
        schema.check("context-create", {"url": ["https://ada:hunter2@example.org/"]})
    assert str(refused.value) == "url must be text."
