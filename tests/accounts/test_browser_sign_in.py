"""A person at a browser: signs in by mail, makes a key, uses it, revokes it, signs out; and pages of other sites."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import browsing
import pytest
from service import Service
from smtp_inbox import Inbox

EMAIL = "lise@example.org"


@pytest.fixture(scope="module")
def inbox():
    inbox = Inbox()
    inbox.start()
    yield inbox
    inbox.stop()


@pytest.fixture(scope="module")
def service(inbox, video_site, tmp_path_factory):
    """A service that sends its mail by a real SMTP server."""
    environ = {"SVC_SMTP_URL": inbox.url, "SVC_ALLOW_HOSTS": video_site.allow, "SVC_WORKERS": "1"}
    with Service(tmp_path_factory.mktemp("mailing"), video_site.plugin_path, **environ) as running:
        yield running


def mailed_link(inbox):
    mail = inbox.take(EMAIL)
    return re.search(r"http\S+", mail.get_content().partition("button there:")[2])[0]


def sign_in(page, inbox):
    """By the page, the mail and the page that the mail leads to."""
    page.goto("/dashboard")
    page.fill("#email", EMAIL)
    page.click("main button")
    page.wait_for_selector("text=a link is on its way")
    page.goto(mailed_link(inbox))
    page.click("main button")
    page.wait_for_url("**/dashboard")
    page.wait_for_selector(f"#email:has-text('{EMAIL}')")


@pytest.fixture(scope="module")
def signed_in(chromium, service, inbox):
    with browsing.profile(chromium, service.base) as context:
        with browsing.tab(context) as page:
            sign_in(page, inbox)
        yield context


@pytest.fixture
def page(signed_in):
    with browsing.tab(signed_in) as page:
        page.goto("/dashboard")
        yield page


@pytest.fixture(scope="module")
def job_id(signed_in, video_site):
    """A job of the account, started in its browser."""
    with browsing.tab(signed_in) as page:
        page.goto("/")
        page.fill("#link", video_site.url("/captioned.html"))
        page.click("#start")
        page.wait_for_url("**/jobs/*")
        return page.url.rpartition("/")[2]


class Elsewhere(BaseHTTPRequestHandler):
    """Any page, of another site."""

    def do_GET(self):  # noqa: N802
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Elsewhere</title>")

    def log_message(self, *_):
        pass


@pytest.fixture
def elsewhere():
    """Another origin on the service's own host: the browser sends it the service's cookie, ports don't count."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_from_the_mail_to_a_key_and_out_again(chromium, service, inbox):
    with browsing.profile(chromium, service.base) as context, browsing.tab(context) as page:
        sign_in(page, inbox)
        page.fill("#key-name", "laptop")
        page.click("#new-key button")
        page.wait_for_selector("#secret-box:not([hidden])")
        key = {"X-API-Key": page.input_value("#secret")}
        assert service.get("/v1/me", headers=key).json()["user"]["email"] == EMAIL

        page.click("#keys button")
        page.click("dialog button[value=yes]")
        page.wait_for_selector("#no-keys:not([hidden])")
        assert service.get("/v1/me", headers=key).status_code == 401

        page.click("text=Sign out")
        page.wait_for_selector("nav :text('Sign in')")
        page.goto("/dashboard")
        page.wait_for_url("**/sign-in?next=/dashboard")


def test_a_job_started_signed_in_is_listed(page, job_id):
    page.click(f"#jobs a[href='/jobs/{job_id}']")
    page.wait_for_selector("#result:not([hidden])")


def test_a_device_is_allowed_on_its_page(page, service):
    asked = {"client_id": "svc-cli"}
    login = service.post("/auth/device/code", json=asked).json()
    page.goto(login["verification_uri_complete"])
    page.click("main button")
    page.click("button[value=allow]")
    page.wait_for_selector("h1:has-text('Connected')")
    grant = {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": login["device_code"]}
    token = service.post("/auth/device/token", json=grant | asked).json()["access_token"]
    me = service.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).json()
    assert me["user"]["email"] == EMAIL


def test_a_page_of_another_site_changes_nothing(page, service, elsewhere):
    page.goto(elsewhere)
    page.evaluate(
        """(action) => {
            const form = Object.assign(document.createElement("form"), {action, method: "post", enctype: "text/plain"});
            document.body.append(form);
        }""",
        f"{service.base}/api/v1/keys",
    )
    with page.expect_navigation() as navigation:
        page.evaluate("document.forms[0].submit()")
    answer = navigation.value
    assert "svc_session=" in answer.request.all_headers()["cookie"]
    assert (answer.status, answer.json()["error"]["code"]) == (403, "bad_origin")


def test_a_page_of_another_site_reads_no_events(page, service, elsewhere, job_id):
    events = f"/v1/jobs/{job_id}/events"
    page.goto(elsewhere)
    opened = page.evaluate(
        """(url) => new Promise((resolve) => {
            const source = new EventSource(url, {withCredentials: true});
            source.onopen = () => resolve(true);
            source.onerror = () => resolve(false);
        })""",
        f"{service.base}/api{events}",
    )
    [cookie] = page.context.cookies(service.base)
    asked = {"Cookie": f"{cookie['name']}={cookie['value']}", "Origin": elsewhere.rstrip("/")}
    assert not opened and service.get(events, headers=asked).status_code == 403
