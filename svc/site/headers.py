"""The browser's side of safety: response headers that hold for every answer of the site."""

from urllib.parse import urlsplit

from flask import Response

# Scripts, styles and calls come from this site alone; nothing inline runs, nothing frames a page, and the browser
# refuses to turn a string into HTML.
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
STRICT_TYPES = {"require-trusted-types-for": "'script'", "trusted-types": "'none'"}
# A job's address is its key, so it never leaves in a Referer; `same-origin` rather than `no-referrer` because the
# latter would also send `Origin: null` with the site's own forms.
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in (POLICY | STRICT_TYPES).items()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def harden(response: Response) -> Response:
    """Adds the headers that the answer does not set itself."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def let_in(response: Response, script: str) -> None:
    """Lets the script of another site run in this page and frame its own pages there.

    It is written without trusted types, and its frame has to learn on which site it stands, but not on which page.
    """
    site = "{0.scheme}://{0.netloc}".format(urlsplit(script))
    policy = POLICY | {"script-src": f"'self' {site}", "frame-src": site}
    response.headers["Content-Security-Policy"] = "; ".join(f"{name} {value}" for name, value in policy.items())
    response.headers["Referrer-Policy"] = "strict-origin"
