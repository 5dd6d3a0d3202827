"""What the doors of `routes.py` have in common in the OpenAPI document."""

from svc.core.describe import Content, json_content, parameter, ref

KEY = parameter("path", "id", "The key's id.", {"type": "string"}, example="key_4pYw0cT9bqXz2mVt8sLr1D")


def json_or_form(name: str) -> Content:
    """A form has each field once, so every other field is one string too."""
    content = json_content(name)
    form = {"allOf": [ref(name), {"type": "object", "additionalProperties": {"type": "string"}}]}
    return {**content, "application/x-www-form-urlencoded": {**content["application/json"], "schema": form}}


DEVICE_CODE = json_or_form("device-code")
DEVICE_TOKEN = json_or_form("device-token")
