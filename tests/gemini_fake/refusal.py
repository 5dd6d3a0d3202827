"""Refusals in the two usual shapes."""

from typing import Any


class Refusal(Exception):
    """An answer other than 200. `front` puts it in the shape of the Files API and the front end."""

    def __init__(self, status: int, code: str, message: str, front: bool = False):
        self.status, self.front = status, front
        self.error: dict[str, Any] = {"code": code, "message": message}
        if front:
            self.error = {"code": status, "message": message, "status": code.upper(), "details": []}

    def body(self) -> dict[str, Any]:
        return {"error": self.error}


def no_file(name: str) -> Refusal:
    message = f"You do not have permission to access the File {name} or it may not exist."
    return Refusal(403, "permission_denied", message, front=True)
