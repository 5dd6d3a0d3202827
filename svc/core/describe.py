"""What a view says of itself for the OpenAPI document: who may call it, what it takes, every answer it gives."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from svc.core import schema

View = TypeVar("View", bound=Callable[..., Any])
Content = dict[str, dict[str, Any]]
"""OpenAPI media type objects by media type."""


@dataclass(frozen=True)
class Answer:
    """An answer that is no refusal. `headers` are OpenAPI header objects by name."""

    description: str
    content: Content
    headers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Description:
    summary: str
    scope: str | None
    account: bool
    parameters: tuple[dict[str, Any], ...]
    body: Content
    answers: dict[int, Answer]
    refusals: tuple[str, ...]
    misfit: int


def describes(
    summary: str,
    *,
    answers: Mapping[int, str | Answer],
    scope: str | None = None,
    account: bool = False,
    parameters: Iterable[dict[str, Any]] = (),
    body: str | Content | None = None,
    refusals: Iterable[str] = (),
    misfit: int = 400,
) -> Callable[[View], View]:
    """Describes a view; the document and its tests miss no route of the API.

    `scope` is what a credential must allow; without one nobody is asked who they are. `account`: a credential must be
    sent. A `body` or answer that is just a name is JSON of `schemas/<name>.json`. `refusals` are the codes of this
    route alone, without those that every route gives and those that follow from `scope` and `account`. `misfit` is the
    status of `invalid_request` where a field is to blame.
    """
    described = Description(
        summary,
        scope,
        account,
        tuple(parameters),
        json_content(body) if isinstance(body, str) else body or {},
        {status: json_answer(answer) if isinstance(answer, str) else answer for status, answer in answers.items()},
        tuple(refusals),
        misfit,
    )

    def mark(view: View) -> View:
        view.description = described  # type: ignore[attr-defined]
        return view

    return mark


def description_of(view: Callable[..., Any]) -> Description:
    """Raises AttributeError for a view that lacks one."""
    return view.description  # type: ignore[attr-defined]


def json_answer(name: str, **headers: Any) -> Answer:
    """JSON of `schemas/<name>.json`. Header names are written with underscores."""
    return Answer(
        schema.load(name)["description"],
        json_content(name),
        {header.replace("_", "-"): value for header, value in headers.items()},
    )


def json_content(name: str) -> Content:
    return content(ref(name), schema.examples(name))


def content(shape: dict[str, Any], examples: Mapping[str, Any], media_type: str = "application/json") -> Content:
    """A body of one media type, with its examples by what each shows."""
    shown = {"examples": {name: {"value": value} for name, value in examples.items()}} if examples else {}
    return {media_type: {"schema": shape, **shown}}


def ref(name: str) -> dict[str, str]:
    """Where the document holds `schemas/<name>.json`: under its title."""
    return {"$ref": f"#/components/schemas/{schema.load(name)['title']}"}


def parameter(place: str, name: str, description: str, shape: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An OpenAPI parameter; `place` is path, query or header."""
    required = {"required": True} if place == "path" else {}
    return {"name": name, "in": place, **required, "description": description, "schema": shape, **more}


def header(description: str, kind: str = "string", required: bool = True) -> dict[str, Any]:
    """An OpenAPI header of an answer."""
    return {"description": description, "required": required, "schema": {"type": kind}}
