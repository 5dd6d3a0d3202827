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


# Something that fits, of every pattern that says how a text ends.
FITTING = (
    *("ada@example.org", "abc", "en-GB", "S1", "NETWORK", "2026-11", "2026-11-20"),
    *(f"job_{'x' * 22}", f"upl_{'x' * 22}"),
)


def patterns(part):
    """Every pattern in a schema."""
    if isinstance(part, dict):
        yield from [part["pattern"]] if isinstance(part.get("pattern"), str) else []
        part = list(part.values())
    if isinstance(part, list):
        yield from (found for one in part for found in patterns(one))


WITH_END = sorted({one for file in schema.all_schemas().values() for one in patterns(file) if one.endswith("$")})


@pytest.mark.parametrize("pattern", WITH_END)
def test_a_line_end_after_what_fits_is_refused(pattern):
    fitting = [text for text in FITTING if schema.matches(pattern, text)]
    assert fitting and not [text for text in fitting if schema.matches(pattern, text + "\n")]


@pytest.mark.parametrize(
    ("name", "body", "field"),
    [
        ("magic-link", {"email": "ada@example.org\n"}, "email"),
        ("waitlist-join", {"email": "ada@example.org", "interest": "pro", "ref": "abc\n"}, "ref"),
        ("context-create", {"url": "x", "language": "en\n"}, "language"),
    ],
)
def test_a_line_end_in_a_field_is_refused(name, body, field):
    with pytest.raises(schema.Invalid) as refused:
        schema.check(name, body)
    assert refused.value.field == field


@pytest.mark.parametrize("text", ["$", "a$"])
def test_a_dollar_sign_in_a_set_or_escaped_is_itself(text):
    assert schema.matches(r"^a?[$]$", text) and schema.matches(r"^a?\$$", text)


@pytest.mark.parametrize("name", [" ", "\t", "\u00a0", "\u200b\u2060", "\u3164", "\ufe0f", "a\u202e", "a\n"])
def test_a_key_has_a_name_that_can_be_seen(name):
    for file, body in (("key-create", {"name": name}), ("cli-exchange", {"deviceLabel": name})):
        with pytest.raises(schema.Invalid, match="needs a character that can be seen"):
            schema.check(file, body)


@pytest.mark.parametrize("name", ["x", " Ada's laptop ", "日本", "👩‍💻", "עט"])
def test_a_name_may_be_written_in_any_script(name):
    schema.check("key-create", {"name": name})


@pytest.mark.parametrize("days", [0, -1, 1e-9, 0.009, 3651])
def test_a_key_that_would_be_dead_at_once_or_live_too_long_is_refused(days):
    with pytest.raises(schema.Invalid, match="expiresInDays"):
        schema.check("key-create", {"name": "x", "expiresInDays": days})
