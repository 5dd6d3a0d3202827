import pytest

from svc.core import schema


def test_every_schema_file_is_valid_and_can_be_used():
    for name in schema.all_schemas():
        schema.validator(name).check_schema(schema.load(name))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": 3}, "url"),
        ({"url": "x" * 2049}, "url"),
        ({"url": "x", "colour": 1}, "colour"),
        ({"url": "x", "options": {"speed": 1}}, "options.speed"),
        ({"url": "x", "mode": "loud"}, "mode"),
        ({"url": "x", "language": ["en"] * 6}, "language"),
        ({"url": "x", "options": {"visual": {"fps": 9}}}, "options.visual.fps"),
        ({}, ""),
        ({"url": "x", "upload_id": "y"}, ""),
        ([], ""),
    ],
)
def test_what_is_wrong_with_a_body_is_named(body, field):
    with pytest.raises(schema.Invalid) as refused:
        schema.check("context-create", body)
    assert refused.value.field == field


def test_a_choice_that_fails_says_what_to_send():
    with pytest.raises(schema.Invalid, match="exactly one of url and upload_id"):
        schema.check("context-create", {})
