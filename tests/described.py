"""Holds the answers that tests get against the OpenAPI document, so that it stays what the server does."""

import re
from typing import Any

import httpx
from jsonschema import Draft202012Validator


class Described:
    def __init__(self, document: dict[str, Any]):
        self.components = document["components"]
        base = document["servers"][0]["url"]
        self.paths = {
            re.compile(base + re.sub(r"{\w+}", "[^/]+", path)): item for path, item in document["paths"].items()
        }

    def check(self, answer: httpx.Response) -> None:
        """The answer's status, headers and body stand in the document, unless the request leads to no operation."""
        operation = self.operation(answer.request)
        if operation is None:
            return
        described = operation["responses"].get(str(answer.status_code))
        assert described, f"{operation['operationId']} answered {answer.status_code}"
        for name, header in described.get("headers", {}).items():
            assert name in answer.headers or not header["required"], name
        media_type = answer.headers["Content-Type"].partition(";")[0]
        assert media_type in described["content"], media_type
        if media_type == "application/json":
            answer.read()
            self.validate(described["content"][media_type]["schema"], answer.json())

    def operation(self, request: httpx.Request) -> dict[str, Any] | None:
        found = (item for path, item in self.paths.items() if path.fullmatch(request.url.path))
        return next(found, {}).get(request.method.lower())

    def validate(self, shape: dict[str, Any], value: Any) -> None:
        Draft202012Validator({**shape, "components": self.components}).validate(value)
