"""The OpenAPI document: valid, complete, and with examples that fit."""

import json

import pytest
from click.testing import CliRunner
from described import Described
from openapi_spec_validator import validate

import cli
from app import create_app
from svc import __version__
from svc.accounts import caller
from svc.core import schema
from svc.core.openapi import document
from svc.core.settings import Settings


@pytest.fixture(scope="module")
def made():
    return document(create_app(Settings()))


@pytest.fixture(scope="module")
def operations(made):
    return {(method, path): one for path, item in made["paths"].items() for method, one in item.items()}


def test_it_is_valid_openapi(made):
    validate(made)


def test_it_names_the_version_and_where_the_api_is(made):
    assert made["info"]["version"] == __version__
    assert made["servers"] == [{"url": "/api"}]


def test_every_schema_file_is_a_component(made):
    titles = [file["title"] for file in schema.all_schemas().values()]
    assert sorted(made["components"]["schemas"]) == sorted(titles)


def test_a_route_without_a_description_is_noticed():
    app = create_app(Settings())
    app.add_url_rule("/api/v1/new", "new", lambda: "")
    with pytest.raises(AttributeError, match="description"):
        document(app)


def test_the_paths_are_those_of_the_documentation(operations):
    assert {("post", "/v1/context"), ("get", "/v1/jobs/{id}"), ("get", "/v1/jobs/{id}/events")} <= set(operations)


def test_every_request_body_has_a_form_and_json_ones_an_example(operations):
    for operation in operations.values():
        for media_type, body in operation.get("requestBody", {"content": {}})["content"].items():
            assert body["schema"]
            assert "examples" in body or media_type in ("application/octet-stream", "audio/*", "video/*")


def test_every_example_fits_its_schema(made, operations):
    described = Described(made)
    bodies = [body for one in operations.values() for body in contents(one)]
    shown = [(body["schema"], e["value"]) for body in bodies for e in body.get("examples", {}).values()]
    assert len(shown) > 10
    for shape, value in shown:
        described.validate(shape, value)


def contents(operation):
    """The media types of the request and of every answer."""
    places = [operation.get("requestBody", {}), *operation["responses"].values()]
    return [body for place in places for body in place.get("content", {}).values()]


def test_every_example_file_belongs_to_a_schema():
    files = (schema.data_folder("schemas") / "examples").glob("*.json")
    assert {file.stem for file in files} <= set(schema.all_schemas())


def test_who_may_call_is_said(operations):
    assert operations["get", "/v1/status"]["security"] == []
    assert operations["post", "/v1/context"]["security"] == [
        {},
        {"ApiKey": ["all"]},
        {"Bearer": ["all"]},
        {"Session": ["all"]},
    ]
    assert operations["get", "/v1/jobs"]["security"] == [
        {"ApiKey": ["read"]},
        {"Bearer": ["read"]},
        {"Session": ["read"]},
    ]
    assert operations["post", "/v1/keys"]["security"] == [{"Bearer": ["all"]}, {"Session": ["all"]}]


def test_the_cookie_has_its_name(made):
    assert made["components"]["securitySchemes"]["Session"]["name"] == caller.COOKIE


def test_refusals_name_their_codes_and_headers(operations):
    too_many = operations["get", "/v1/jobs/{id}/events"]["responses"]["429"]
    named = too_many["content"]["application/json"]["schema"]["allOf"][1]
    assert named["properties"]["error"]["properties"]["code"]["enum"] == ["too_many_streams"]
    assert too_many["headers"]["Retry-After"]["required"]


def test_the_command_prints_what_the_server_serves(service):
    printed = CliRunner().invoke(cli.main, ["openapi", "--data-dir", str(service.data_dir)])
    assert json.loads(printed.output) == service.get("/v1/openapi.json").json()
