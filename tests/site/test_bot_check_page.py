"""The bot check on the built-in pages: a real service, with a loopback stand-in of the widget and of its verifier."""

import json
from urllib.parse import parse_qs

import browsing
import pytest
from service import Service
from video_site import Answer, Server

from svc.site.headers import HEADERS

# The widget as the page uses it: a token is at hand at once, and a new one after each reset.
WIDGET = """
window.turnstile = (() => {
  let token;
  const solve = () => { token = `${window.robot ? "robot" : "human"}-${Math.random()}`; };
  return {
    render(place, options) {
      const frame = document.createElement("iframe");
      frame.src = document.querySelector("script[src*=api]").src.replace(/api.js.*/, "frame");
      place.append(frame);
      place.dataset.rendered = options.sitekey;
      solve();
      return "widget";
    },
    getResponse: () => token,
    reset: solve,
  };
})();
"""


@pytest.fixture(scope="module")
def check():
    """Serves the widget, and verifies each token of a human once."""
    used = set()

    def verify(request):
        form = parse_qs(request.rfile.read(int(request.headers["Content-Length"])).decode())
        [token] = form["response"]
        good = form["secret"] == ["hush"] and token.startswith("human") and token not in used
        used.add(token)
        return Answer(json.dumps({"success": good}), "application/json")

    with Server("127.0.0.1") as server:
        server.serve("/api.js", WIDGET, "text/javascript")
        server.serve("/frame", "<!doctype html>")
        server.answers["/siteverify"] = verify
        yield server


@pytest.fixture(scope="module")
def service(check, video_site, tmp_path_factory):
    data_dir = tmp_path_factory.mktemp("checked")
    data_dir.joinpath("svc.toml").write_text("[limits.anonymous]\nrequests_per_minute = 100\nwaiting_jobs = 20\n")
    environ = {
        "SVC_ALLOW_HOSTS": video_site.allow,
        "SVC_WORKERS": "0",
        "SVC_TURNSTILE_SITE_KEY": "site-key",
        "SVC_TURNSTILE_SECRET": "hush",
        "SVC_TURNSTILE_VERIFY_URL": check.url("/siteverify"),
        "SVC_TURNSTILE_SCRIPT_URL": check.url("/api.js"),
    }
    with Service(data_dir, **environ) as running:
        yield running


@pytest.fixture
def context(chromium, service):
    with browsing.profile(chromium, service.base) as context:
        yield context


@pytest.fixture
def page(context, check):
    check.requests.clear()
    with browsing.tab(context) as page:
        page.goto("/")
        yield page


def listen_to(page, link):
    page.fill("#link", link)
    page.check("input[value=audio]")
    page.click("#start")


def test_a_visitor_who_passed_the_check_is_listened_to(page, video_site):
    page.wait_for_selector("#bot-check[data-rendered=site-key]")
    listen_to(page, video_site.url("/media/jfk.mp3"))
    page.wait_for_url("**/jobs/job_*")


def test_the_frame_of_the_check_learns_the_site_but_not_the_page(page, check, service):
    page.wait_for_selector("#bot-check iframe")
    page.wait_for_load_state("networkidle")
    [headers] = [headers for _, path, headers in check.requests if path == "/frame"]
    assert headers["Referer"] == f"{service.base}/"


def test_a_visitor_who_fails_is_asked_again(page, video_site):
    page.wait_for_selector("#bot-check[data-rendered]")
    page.evaluate("window.robot = true; turnstile.reset(); window.robot = false")
    listen_to(page, video_site.url("/media/jfk.mp3"))
    page.wait_for_selector("#refusal:has-text('Wait until the check on this page is passed')")
    assert "turnstile_failed" in page.inner_text("#refusal") and page.get_attribute("#link", "aria-invalid") is None
    page.click("#start")
    page.wait_for_url("**/jobs/job_*")


def test_a_token_that_was_spent_on_a_refusal_is_not_sent_again(page, video_site):
    page.wait_for_selector("#bot-check[data-rendered]")
    listen_to(page, video_site.url("/nowhere.html"))
    page.wait_for_selector("#refusal:not([hidden])")
    assert "turnstile" not in page.inner_text("#refusal")
    listen_to(page, video_site.url("/media/jfk.mp3"))
    page.wait_for_url("**/jobs/job_*")


def test_a_check_that_does_not_load_is_told(context, check, video_site):
    with browsing.tab(context) as page:
        page.route(check.url("/api.js*"), lambda route: route.abort())
        page.goto("/")
        listen_to(page, video_site.url("/media/jfk.mp3"))
        page.wait_for_selector("#refusal:has-text('The check could not be loaded')")


def test_a_job_is_tried_again_with_a_check(page, service, video_site):
    page.wait_for_selector("#bot-check[data-rendered]")
    listen_to(page, video_site.url("/media/jfk.mp3"))
    page.wait_for_url("**/jobs/job_*")
    first = page.url
    page.click("#cancel")
    page.wait_for_selector("#bot-check[data-rendered]")
    page.click("#retry")
    page.wait_for_url(lambda url: url != first)


def test_who_is_signed_in_meets_no_check(page, service, check, video_site):
    page.goto(service.command("login-link", "ada@example.org")["url"])
    page.click("main button")
    page.wait_for_url("**/dashboard")
    check.requests.clear()
    answer = page.goto("/")
    listen_to(page, video_site.url("/media/jfk.mp3"))
    page.wait_for_url("**/jobs/job_*")
    assert answer.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]
    assert not [path for _, path, _ in check.requests if path.startswith("/api.js")]


@pytest.mark.parametrize("path", ["/", "/jobs/job_" + "A" * 22])
def test_only_the_pages_that_start_jobs_let_the_check_in(service, check, path):
    policy = service.http.get(path).headers["Content-Security-Policy"]
    origin = check.url("").rstrip("/")
    assert f"script-src 'self' {origin};" in policy and f"frame-src {origin}" in policy
    assert origin not in service.http.get("/sign-in").headers["Content-Security-Policy"]


def test_without_keys_nothing_is_let_in(client):
    answer = client.get("/")
    assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    assert "bot-check" not in answer.text
