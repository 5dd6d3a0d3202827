"""A person with an account of a running service, at a browser of their own."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from service import Service

GRANT = "urn:ietf:params:oauth:grant-type:device_code"


class Person:
    """Signed in by a link; the first one makes the account."""

    def __init__(self, service: Service, email: str):
        self.browser = httpx.Client(base_url=service.base, trust_env=False)
        self.sign_in(service.command("login-link", email)["url"])

    def sign_in(self, link: str) -> None:
        answer = self.browser.post("/sign-in/confirm", data={"token": token_of(link)})
        assert answer.status_code == 303, answer.text

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"svc_session={self.browser.cookies['svc_session']}"}

    def make_key(self, scopes: str = "all") -> dict[str, Any]:
        answer = self.browser.post("/api/v1/keys", json={"name": "test", "scopes": scopes})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def revoke(self, key: dict[str, Any]) -> None:
        assert self.browser.delete(f"/api/v1/keys/{key['id']}").status_code == 200

    def answer_device(self, user_code: str, answer: str = "allow") -> httpx.Response:
        return self.browser.post("/device", data={"user_code": user_code, "answer": answer})

    def device_token(self) -> str:
        """The session token of a device that this person has confirmed."""
        asked = {"client_id": "svc-cli"}
        login = self.browser.post("/api/auth/device/code", json=asked).json()
        self.answer_device(login["user_code"])
        grant = asked | {"grant_type": GRANT, "device_code": login["device_code"]}
        return self.browser.post("/api/auth/device/token", json=grant).json()["access_token"]


def token_of(link: str) -> str:
    return parse_qs(urlsplit(link).query)["token"][0]
