"""The web pages. They carry no data: the browser asks the API for it, as any other caller does."""

from typing import Any

from flask import Blueprint, Response, abort, current_app, render_template

from svc.core.ids import JOB_ID
from svc.core.settings import Settings
from svc.site import account_routes
from svc.site.headers import harden, let_in
from svc.site.languages import LANGUAGES

blueprint = Blueprint("site", __name__)
blueprint.after_app_request(harden)
blueprint.register_blueprint(account_routes.blueprint)


@blueprint.get("/")
def tool() -> Response:
    """Where a link or a file goes in."""
    limits = current_app.config["SETTINGS"].limits.service
    return starting_page("tool.html", languages=LANGUAGES, upload_bytes=limits.upload_bytes)


@blueprint.get("/jobs/<job_id>")
def job(job_id: str) -> Response:
    """A job's progress and its result."""
    if not JOB_ID.fullmatch(job_id):
        abort(404)
    return starting_page("job.html", job_id=job_id)


def starting_page(template: str, **values: Any) -> Response:
    """A page from which a job can be started: where the bot check is on, a visitor without an account meets it here."""
    settings: Settings = current_app.config["SETTINGS"]
    check = None
    if settings.turnstile_site_key and settings.turnstile_secret and not account_routes.session():
        check = {"script": settings.turnstile_script_url, "key": settings.turnstile_site_key}
    response = Response(render_template(template, check=check, **values))
    if check:
        let_in(response, check["script"])
    return response
