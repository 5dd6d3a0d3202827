"""One web server and one browser for all tests of the pages."""

import os
import shutil
import threading
from pathlib import Path

import pytest
from flask import Flask
from standin import StandIn, make_api
from werkzeug.serving import make_server

from svc.core.limits import MB, Limits, ServiceLimits
from svc.core.settings import Settings
from svc.site.routes import blueprint, not_found

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SMALL = Limits(service=ServiceLimits(upload_bytes=MB))
QUIET = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def state():
    return StandIn()


@pytest.fixture(scope="session")
def site_app(state, tmp_path_factory):
    app = Flask("site", static_folder=str(ROOT / "static"), template_folder=str(ROOT / "templates"))
    app.config["SETTINGS"] = Settings(data_dir=tmp_path_factory.mktemp("data"), limits=SMALL)
    app.register_blueprint(blueprint)
    app.register_blueprint(make_api(state))
    app.register_error_handler(404, not_found)
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
def browser(address):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=found, args=QUIET)
        context = chromium.new_context(base_url=address, permissions=["clipboard-read", "clipboard-write"])
        context.set_default_timeout(10_000)
        yield context
        chromium.close()


@pytest.fixture
def page(browser, state):
    """A fresh tab on the site. A script error or a breach of the content policy fails the test."""
    state.reset()
    page, complaints = browser.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: "Content Security Policy" in line.text and complaints.append(line.text))
    yield page
    state.break_streams()
    page.close()
    assert not complaints
