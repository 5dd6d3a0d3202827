"""One web server and one browser for all tests of the pages."""

import threading
from pathlib import Path

import browsing
import pytest
from flask import Flask
from standin import StandIn, make_api
from werkzeug.serving import make_server

from svc.accounts import sessions, users
from svc.accounts.caller import COOKIE
from svc.accounts.models import User
from svc.core import database
from svc.core.http import install_error_answers
from svc.core.limits import MB, Limits, ServiceLimits
from svc.core.settings import Settings
from svc.site.errors import refused_page
from svc.site.routes import blueprint

ROOT = Path(__file__).parents[2]
EMAIL = "grace@example.org"
SMALL = Limits(service=ServiceLimits(upload_bytes=MB))


@pytest.fixture(scope="session")
def state():
    return StandIn()


@pytest.fixture(scope="session")
def site_app(state, tmp_path_factory):
    app = Flask("site", static_folder=str(ROOT / "static"), template_folder=str(ROOT / "templates"))
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), secret_key="secret", limits=SMALL)
    app.config["SETTINGS"] = settings
    database.connect(settings)
    database.migrate(settings)
    app.teardown_request(lambda _: database.release())
    app.register_blueprint(blueprint)
    app.register_blueprint(make_api(state))
    install_error_answers(app, refused_page)
    return app


@pytest.fixture
def client(site_app):
    return site_app.test_client()


@pytest.fixture(scope="session")
def address(site_app):
    server = make_server("127.0.0.1", 0, site_app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()


@pytest.fixture(scope="session")
def browser(chromium, address):
    with browsing.profile(chromium, address) as context:
        yield context


@pytest.fixture
def page(browser, state):
    """A fresh tab on the site."""
    state.reset()
    with browsing.tab(browser) as page:
        yield page
        state.break_streams()


@pytest.fixture
def signed_in(browser, client, address):
    """Signs the browser and the test client in, as grace@example.org."""
    user = User.get_or_none(User.email == EMAIL) or users.create(EMAIL)
    token = sessions.start(user)
    browser.add_cookies([{"name": COOKIE, "value": token, "url": address}])
    client.set_cookie(COOKIE, token, domain="localhost")
    yield user
    browser.clear_cookies()
