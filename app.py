"""The Flask application: settings in, rooms' doors mounted, errors turned into answers."""

from flask import Flask, Response, request

from svc.accounts import routes as accounts
from svc.ask import routes as ask
from svc.core import database, openapi
from svc.core.describe import describes
from svc.core.errors import Refusal
from svc.core.http import answer, install_error_answers, refused
from svc.core.schema import HERE, data_folder
from svc.core.settings import Settings
from svc.inbox import pages as inbox_pages
from svc.inbox import routes as inbox
from svc.jobs import owner_routes as owners
from svc.jobs import routes as jobs
from svc.site import routes as site
from svc.site.errors import refused_page
from svc.status import routes as status

FOR_PROGRAMS = ("/api/", "/health/", "/mcp/")
"""Paths whose errors are JSON; elsewhere a person reads them."""


class Application(Flask):
    def make_default_options_response(self) -> Response:
        """Which methods a path has, in `Allow`. There is no content, so no type of it either."""
        response = super().make_default_options_response()
        response.status_code = 204
        del response.headers["Content-Type"]
        return response


def create_app(settings: Settings) -> Flask:
    """The web side of one process group. The database must be connected."""
    app = Application(
        "svc",
        root_path=str(HERE),
        static_folder=str(data_folder("static")),
        template_folder=str(data_folder("templates")),
    )
    app.config["SETTINGS"] = settings
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.register_blueprint(accounts.blueprint, url_prefix="/api")
    app.register_blueprint(jobs.blueprint, url_prefix="/api")
    app.register_blueprint(owners.blueprint, url_prefix="/api")
    app.register_blueprint(status.blueprint, url_prefix="/api")
    app.register_blueprint(ask.blueprint, url_prefix="/api")
    app.register_blueprint(inbox.blueprint, url_prefix="/api")
    app.register_blueprint(site.blueprint)
    app.register_blueprint(inbox_pages.blueprint)
    app.add_url_rule("/health", "health", health)
    app.add_url_rule("/api/health", "api_health", health)
    openapi.mount(app)
    install_error_answers(app, lambda refusal: worded_for(request.path, refusal))

    @app.before_request
    def borrow_connection() -> None:
        database.db.connect(reuse_if_open=True)

    @app.teardown_request
    def return_connection(_: BaseException | None) -> None:
        database.release()

    return app


@describes("Whether the service is up", answers={200: "health"})
def health() -> Response:
    return answer({"ok": True})


def worded_for(path: str, refusal: Refusal) -> Response:
    """JSON for programs, a page for people. A request that was not even read far enough to have a path gets JSON."""
    is_page = path.startswith("/") and not f"{path}/".startswith(FOR_PROGRAMS)
    return refused_page(refusal) if is_page else refused(refusal)
