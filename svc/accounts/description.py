"""What the doors of `routes.py` have in common in the OpenAPI document."""

from svc.core.describe import Content, json_content, parameter

KEY = parameter("path", "id", "The key's id.", {"type": "string"}, example="key_4pYw0cT9bqXz2mVt8sLr1D")


def json_or_form(name: str) -> Content:
    content = json_content(name)
    return {**content, "application/x-www-form-urlencoded": content["application/json"]}


DEVICE_CODE = json_or_form("device-code")
DEVICE_TOKEN = json_or_form("device-token")
