"""JSON Schema: the files of `schemas/` are the shapes of requests and resources, here and in the OpenAPI document."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from svc.core.lean import without

HERE = Path(__file__).resolve().parents[2]
MESSAGES = {
    "type": "must be {}",
    "enum": "must be {}",
    "const": "must be {}",
    "required": "is required",
    "additionalProperties": "is not known here",
    "minLength": "must have at least {} characters",
    "maxLength": "may have at most {} characters",
    "minimum": "must be at least {}",
    "exclusiveMinimum": "must be above {}",
    "maximum": "may be at most {}",
    "maxItems": "may have at most {} items",
    "format": "must be a valid {}",
}
# A pattern's parts as far as its `$` is concerned: escapes, sets of characters, and the sign itself.
DOLLAR = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$")
TYPE_NAMES = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


def data_folder(name: str) -> Path:
    """A folder of data files: beside the code in a checkout, inside `svc_data` when installed from a wheel."""
    return next(p for p in (HERE / name, HERE / "svc_data" / name) if p.is_dir())


@cache
def load(name: str) -> dict[str, Any]:
    return json.loads((data_folder("schemas") / f"{name}.json").read_text("utf-8"))


def all_schemas() -> dict[str, dict[str, Any]]:
    """Every schema file by its name, without `.json`."""
    return {path.stem: load(path.stem) for path in sorted(data_folder("schemas").glob("*.json"))}


@cache
def examples(name: str) -> dict[str, Any]:
    """The documents of `schemas/examples/<name>.json`, by what each shows; none where there is no such file."""
    path = data_folder("schemas") / "examples" / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


class Invalid(Exception):
    """A document that does not fit its schema. `field` is the dotted path of what is wrong, '' for the whole."""

    def __init__(self, field: str, message: str):
        self.field, self.message = field, message
        super().__init__(message if message.endswith(".") else f"{field or 'The body'} {message}.")


def check(name: str, document: Any) -> None:
    """Raises Invalid with the first thing that does not fit `schemas/<name>.json`."""
    try:
        error = next(validator(name).iter_errors(document), None)
    except RecursionError as endless:
        raise Invalid("", "The body is nested too deeply.") from endless
    if error:
        raise Invalid(wrong_field(error), message(error))


def message(error: Any) -> str:
    """What is wrong, without the value itself: it may be long, or hold a password."""
    if error.validator in ("oneOf", "anyOf", "pattern") and "x-message" in error.schema:
        return error.schema["x-message"]
    words = MESSAGES.get(error.validator, "has a form that is not allowed")
    return words.format(" or ".join(map(spelled, as_list(error.validator_value))))


def spelled(limit: Any) -> str:
    return TYPE_NAMES.get(limit, limit) if isinstance(limit, str) else json.dumps(limit)


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@cache
def validator(name: str) -> Any:
    # jsonschema for small bodies: the library whose messages and formats users know.
    with without("rfc3987_syntax"):  # checks a format that no schema has, and takes a second and 20 MB to load
        from jsonschema import Draft202012Validator
        from jsonschema.validators import extend
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012

    registry: Registry = Registry().with_resources(
        [(f"{stem}.json", DRAFT202012.create_resource(undated(file))) for stem, file in all_schemas().items()]
    )
    strict = extend(Draft202012Validator, {"pattern": check_pattern})
    return strict(load(name), registry=registry, format_checker=strict.FORMAT_CHECKER)


def undated(file: dict[str, Any]) -> dict[str, Any]:
    """Without `$schema`, for which jsonschema would go back to its own class where one file refers to another."""
    return {key: part for key, part in file.items() if key != "$schema"}


def check_pattern(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[Any]:
    """The keyword `pattern` as JSON Schema means it; jsonschema's own takes Python's `$`."""
    from jsonschema import ValidationError

    if isinstance(value, str) and not matches(pattern, value):
        yield ValidationError(f"does not match {pattern}")


def matches(pattern: str, text: str) -> bool:
    """Whether a schema's pattern is found in the text."""
    return in_python(pattern).search(text) is not None


@cache
def in_python(pattern: str) -> re.Pattern[str]:
    r"""ECMA-262's `$` is the very end of the text, which Python writes `\Z`: its own `$` lets a line end follow."""
    return re.compile(DOLLAR.sub(lambda part: r"\Z" if part[0] == "$" else part[0], pattern))


def wrong_field(error: Any) -> str:
    """The path of the offending value; for missing and unexpected keys the key itself is added."""
    path = [str(step) for step in error.absolute_path]
    if error.validator == "required":
        path.append(next(key for key in error.validator_value if key not in error.instance))
    elif error.validator == "additionalProperties":
        path.append(sorted(set(error.instance) - set(error.schema.get("properties", {})))[0])
    return ".".join(path)


def check_large(name: str, document: Any) -> None:
    """Like `check`, for documents of megabytes: jsonschema-rs is a hundred times faster there."""
    if error := next(large_validator(name).iter_errors(document), None):
        raise Invalid(".".join(str(step) for step in error.instance_path), error.message)


@cache
def large_validator(name: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(load(name))
