"""The web pages. They carry no data: the browser asks the API for it, as any other caller does."""

from flask import Blueprint, abort, current_app, render_template
from werkzeug.exceptions import NotFound

from svc.core.ids import JOB_ID
from svc.site import account_routes
from svc.site.headers import harden
from svc.site.languages import LANGUAGES

blueprint = Blueprint("site", __name__)
blueprint.after_app_request(harden)
blueprint.register_blueprint(account_routes.blueprint)


@blueprint.get("/")
def tool() -> str:
    """Where a link or a file goes in."""
    limits = current_app.config["SETTINGS"].limits.service
    return render_template("tool.html", languages=LANGUAGES, upload_bytes=limits.upload_bytes)


@blueprint.get("/jobs/<job_id>")
def job(job_id: str) -> str:
    """A job's progress and its result."""
    if not JOB_ID.fullmatch(job_id):
        abort(404)
    return render_template("job.html", job_id=job_id)


@blueprint.errorhandler(NotFound)
def not_found(_error: NotFound) -> tuple[str, int]:
    """The page for an address that leads nowhere; the application also uses it for unknown paths outside the API."""
    return render_template("404.html"), 404
