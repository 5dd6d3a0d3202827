"""The browser's side of safety: response headers that hold for every answer of the site."""

from flask import Response

# Scripts, styles and calls come from this site alone; nothing inline runs, nothing frames a page, and the browser
# refuses to turn a string into HTML. A job's address is its key, so it never leaves in a Referer; `same-origin`
# rather than `no-referrer` because the latter would also send `Origin: null` with the site's own forms.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def harden(response: Response) -> Response:
    """Adds the headers that the answer does not set itself."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
