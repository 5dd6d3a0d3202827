"""A person at a browser: writes to the operator, joins the waitlist by mail and leaves it, without JavaScript."""

import re
import time

import browsing
import pytest
from service import Service

EMAIL = "lise@example.org"
MAIL_SECONDS = 10


@pytest.fixture(scope="module")
def service(inbox, tmp_path_factory):
    """A running service that sends its mail by a real SMTP server."""
    with Service(tmp_path_factory.mktemp("inbox"), SVC_SMTP_URL=inbox.url, SVC_WORKERS="0") as running:
        yield running


@pytest.fixture(scope="module")
def browser(chromium, service):
    with browsing.profile(chromium, service.base) as context:
        yield context


@pytest.fixture
def page(browser):
    with browsing.tab(browser) as page:
        yield page


def mailed_link(inbox, subject):
    """The link of the mail with this subject, once it has come."""
    end = time.monotonic() + MAIL_SECONDS
    while time.monotonic() < end:
        if any(EMAIL in mail.rcpt_tos for mail in inbox.mails) and inbox.mail_to(EMAIL)["Subject"] == subject:
            return re.search(r"http\S+", inbox.mail_to(EMAIL).get_content().partition("Open this page")[2])[0]
        time.sleep(0.05)
    raise AssertionError(f"no mail about {subject}")


def status(service):
    return [(entry["email"], entry["status"]) for entry in service.command("waitlist", "list")]


def test_a_message_is_written_with_the_keyboard(page, service):
    page.goto("/")
    page.click("footer >> text=Contact")
    page.focus("#topic")
    for keys in ("A q", "Tab", EMAIL, "Tab", "Where is the manual?", "Tab"):
        page.keyboard.press(keys) if keys == "Tab" else page.keyboard.type(keys)
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Thank you')")
    [message] = service.command("contact", "list")
    assert (message["topic"], message["email"], message["message"]) == ("question", EMAIL, "Where is the manual?")


def test_what_is_wrong_is_told_beside_the_field_and_has_the_focus(page):
    page.goto("/contact")
    page.select_option("#topic", "privacy")
    page.fill("#email", EMAIL)
    page.fill("#message", " " * 20)
    page.click("main button")
    page.wait_for_selector("#message-wrong")
    below = page.eval_on_selector("#message", "field => field.nextElementSibling.id")
    assert (below, page.evaluate("document.activeElement.id")) == ("message-wrong", "message")
    assert page.input_value("#topic") == "privacy"


def test_the_waitlist_is_joined_and_left_by_mail_without_javascript(chromium, service, inbox):
    context = chromium.new_context(base_url=service.base, java_script_enabled=False)
    context.set_default_timeout(browsing.PATIENCE_MS)
    page = context.new_page()
    page.goto("/waitlist?interest=pro")
    page.fill("#email", EMAIL)
    page.click("main button")
    page.wait_for_selector("h1:has-text('Look into your mail')")
    assert status(service) == [(EMAIL, "unconfirmed")]

    page.goto(mailed_link(inbox, "Confirm your place on the waitlist"))
    page.wait_for_selector("h1:has-text('You are on the list')")
    assert status(service) == [(EMAIL, "joined")]

    page.click("text=Leave the waitlist")
    page.fill("#email", EMAIL)
    page.click("main button")
    page.wait_for_selector("h1:has-text('Look into your mail')")
    page.goto(mailed_link(inbox, "Leave the waitlist"))
    assert status(service) == [(EMAIL, "joined")]
    page.click("main button")
    page.wait_for_selector("h1:has-text('You are off the list')")
    assert status(service) == []
    context.close()


@pytest.mark.parametrize("path", ["/contact", "/waitlist", "/waitlist/leave"])
def test_pages_fit_a_phone(page, path):
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_decoy_is_neither_seen_nor_reached_by_the_keyboard(page):
    page.goto("/contact")
    assert page.eval_on_selector("#website", "one => one.getBoundingClientRect().left < 0 || one.tabIndex < 0")
    assert page.eval_on_selector("#website", "one => one.closest('[aria-hidden=true]').offsetHeight") == 1
