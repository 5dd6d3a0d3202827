"""How a server declines, in the shapes that servers have."""

from typing import Any


class Refusal(Exception):
    def __init__(self, status: int, message: str, code: str | None = None, param: str | None = None):
        self.status, self.message, self.code, self.param = status, message, code, param
        super().__init__(message)

    def body(self, shape: str) -> dict[str, Any]:
        kind = "server_error" if self.status >= 500 else "invalid_request_error"
        inside = {"message": self.message, "type": kind, "param": self.param, "code": self.code}
        shapes: dict[str, dict[str, Any]] = {
            "openai": {"error": inside},
            "vllm": {"object": "error", **inside, "code": self.status},
            "fastapi": {"detail": [{"loc": ["body", self.param], "msg": self.message, "type": kind}]},
            "ollama": {"error": self.message},
        }
        return shapes[shape]


def unknown_parameter(name: str) -> Refusal:
    return Refusal(400, f"Unknown parameter: '{name}'.", "unknown_parameter", name)
