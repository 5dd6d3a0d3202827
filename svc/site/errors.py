"""A refusal's status and headers, with a page for a person instead of JSON for a program."""

from typing import Any

from flask import Response, render_template

from svc.core.errors import Refusal
from svc.core.http import refused


def refused_page(refusal: Refusal, template: str | None = None, **values: Any) -> Response:
    """By itself the page that only refuses; with a `template` the page that was being used, told of the refusal."""
    response = refused(refusal)
    template = template or ("404.html" if refusal.code == "not_found" else "refused.html")
    response.set_data(render_template(template, refusal=refusal, **values))
    response.mimetype = "text/html"
    return response
