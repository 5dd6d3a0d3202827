"""The Flask application: settings in, rooms' doors mounted, errors turned into answers."""

from flask import Flask, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from svc.accounts import routes as accounts
from svc.core import database, openapi
from svc.core.describe import describes
from svc.core.http import answer, http_error, install_error_answers
from svc.core.schema import HERE, data_folder
from svc.core.settings import Settings
from svc.jobs import owner_routes as owners
from svc.jobs import routes as jobs
from svc.site import routes as site
from svc.status import routes as status


def create_app(settings: Settings) -> Flask:
    """The web side of one process group. The database must be connected."""
    app = Flask(
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
    app.register_blueprint(site.blueprint)
    app.add_url_rule("/health", "health", health)
    app.add_url_rule("/api/health", "api_health", health)
    openapi.mount(app)
    install_error_answers(app)
    app.register_error_handler(404, unknown_path)

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


def unknown_path(error: NotFound) -> ResponseReturnValue:
    """JSON for programs below the API's path, a page for people elsewhere."""
    return http_error(error) if f"{request.path}/".startswith("/api/") else site.not_found(error)
