"""Which site a browser's request comes from, and whether that may act for the person signed in."""

from flask import Request

from svc.core.errors import Refusal
from svc.core.settings import Settings

OWN = ("same-origin", "none")


def refuse_other_sites(request: Request, settings: Settings) -> None:
    """403 `bad_origin` when `Origin`, or without one `Sec-Fetch-Site`, shows a page of another site."""
    origin = request.headers.get("Origin")
    if origin is not None:
        foreign = origin != own_origin(request, settings)
    else:
        foreign = request.headers.get("Sec-Fetch-Site", "none") not in OWN
    if foreign:
        raise Refusal("bad_origin", "Requests from pages of another site are refused.")


def own_origin(request: Request, settings: Settings) -> str:
    """The public address; where none is set, the address that was called."""
    return settings.site_root or request.host_url.rstrip("/")
