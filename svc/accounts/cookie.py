"""The cookie of a signed-in browser, out of reach of scripts and of other sites' requests."""

from typing import Any

from werkzeug.wrappers import Response

from svc.accounts import sessions
from svc.core.settings import Settings

COOKIE = "svc_session"


def keep(response: Response, settings: Settings, token: str) -> None:
    """Whoever stores the answer in between must not give it to others."""
    response.headers["Cache-Control"] = "no-store"
    response.set_cookie(COOKIE, token, max_age=sessions.LIFETIME_MS // 1000, **rules(settings))


def is_set(response: Response) -> bool:
    """Whether the answer already says what becomes of the cookie."""
    return any(line.startswith(f"{COOKIE}=") for line in response.headers.getlist("Set-Cookie"))


def clear(response: Response, settings: Settings) -> None:
    response.delete_cookie(COOKIE, **rules(settings))


def rules(settings: Settings) -> dict[str, Any]:
    return {"path": "/", "httponly": True, "samesite": "Lax", "secure": settings.root.startswith("https://")}
