"""The dashboard in a browser, over the API's stand-in."""

import pytest
from standin import make_account, make_error, make_key

from svc.accounts import sessions

MINUTE_MS = 60_000


@pytest.fixture
def dashboard(page, state, signed_in):
    def open_dashboard():
        page.goto("/dashboard")
        page.wait_for_selector("#email:not(:empty)")
        return page

    return open_dashboard


def fill_key(page, name="laptop"):
    page.fill("#key-name", name)
    page.click("#new-key button")


def test_minutes_are_shown_as_a_picture_and_in_words(dashboard, state):
    state.account = make_account(minutesUsed=100, includedRemaining=500, minutesTopup=200)
    page = dashboard()
    label = "100 minutes used, 500 minutes left this month, 200 minutes left of those bought"
    assert page.get_attribute(".chart", "aria-label") == label
    widths = page.eval_on_selector_all(".chart rect", "all => all.map(one => one.getBoundingClientRect().width)")
    assert widths[1] / widths[0] == pytest.approx(5, rel=0.01)


def test_a_key_is_made_with_scope_and_expiry_and_shown_once(dashboard, state):
    page = dashboard()
    page.select_option("#key-scope", "read")
    page.select_option("#key-expiry", "30")
    fill_key(page)
    page.wait_for_selector("#secret-box:not([hidden])")
    page.click("#copy-secret")
    page.wait_for_selector("#copied:not(:empty)")
    assert page.evaluate("navigator.clipboard.readText()") == page.input_value("#secret")
    [body] = [body for call, _, body in state.calls if call == "POST /keys"]
    assert body == {"name": "laptop", "scopes": "read", "expiresInDays": 30}
    page.reload()
    page.wait_for_selector("#keys li")
    assert page.is_hidden("#secret-box") and page.input_value("#secret") == ""


def test_a_key_is_revoked_only_when_confirmed(dashboard, state):
    state.keys = [make_key(1)]
    page = dashboard()
    page.click("#keys button")
    page.click("dialog button[value=no]")
    assert state.keys
    page.click("#keys button")
    page.click("dialog button[value=yes]")
    page.wait_for_selector("#no-keys:not([hidden])")
    assert not state.keys


def test_a_refused_key_says_why(dashboard, state):
    state.refuse("POST /keys", 409, "key_limit_reached", "There are 10 keys.", hint="Revoke one first.")
    page = dashboard()
    fill_key(page)
    page.wait_for_selector("#keys-refusal:has-text('Revoke one first.')")


def test_names_are_text(dashboard, state):
    state.keys = [make_key(1, "<img src=x onerror=alert(1)>")]
    page = dashboard()
    page.wait_for_selector("#keys strong:has-text('<img')")


def test_older_jobs_come_when_asked_for(dashboard, state):
    for i in range(13):
        state.add_job("succeeded", f"job_{i:022}", created_at=1_700_000_000_000 - i * MINUTE_MS, title=f"Talk {i}")
    page = dashboard()
    page.wait_for_selector("#jobs li")
    assert page.locator("#jobs li").count() == 10
    page.click("#older")
    page.wait_for_selector("#jobs li:nth-child(13)")
    assert page.is_hidden("#older") and page.evaluate("document.activeElement.textContent") == "Talk 10"
    assert page.get_attribute("#jobs li:last-child a", "href") == f"/jobs/job_{12:022}"


def test_a_failed_job_is_marked(dashboard, state):
    state.add_job("failed", error=make_error("SOURCE_BLOCKED", "The site refused this server."))
    page = dashboard()
    page.wait_for_selector("#jobs .failed[title=SOURCE_BLOCKED]")


def test_the_account_is_deleted_only_with_its_address(dashboard, state):
    page = dashboard()
    page.click("#delete-heading ~ details summary")
    page.fill("#delete-email", "eve@example.org")
    page.click("#delete-account button")
    page.wait_for_selector("#delete-refusal:not([hidden])")
    assert state.account
    page.fill("#delete-email", "Grace@example.org")
    page.click("#delete-account button")
    page.wait_for_url("**/")
    assert state.account is None


def test_a_session_that_ended_leads_to_the_sign_in(dashboard, browser, state):
    page = dashboard()
    state.refuse("POST /keys", 401, "unauthorized", "This needs an account.")
    browser.clear_cookies()
    fill_key(page)
    page.wait_for_url("**/sign-in?next=%2Fdashboard")


def test_a_key_that_another_tab_revoked_goes_from_the_list(dashboard, state):
    page = dashboard()
    fill_key(page)
    page.wait_for_selector("#keys li")
    state.keys.clear()
    state.refuse("DELETE /keys/key_0", 404, "not_found", "There is no such key.")
    page.click("#keys button")
    page.click("dialog button[value=yes]")
    page.wait_for_selector("#key-list-refusal:has-text('There is no such key.')")
    assert not any(map(page.is_visible, ("#keys", "#keys-refusal", "#secret-box")))


def test_the_page_after_the_accounts_end_says_so_once(dashboard):
    page = dashboard()
    page.click("#delete-heading ~ details summary")
    page.fill("#delete-email", "grace@example.org")
    page.click("#delete-account button")
    page.wait_for_selector("#news:has-text('Your account was deleted')")
    page.reload()
    assert page.is_hidden("#news")


def test_sessions_are_shown_in_the_readers_time_and_ended(dashboard, signed_in):
    elsewhere = sessions.start(signed_in, "Safari on iPhone")
    page = dashboard()
    assert "UTC" not in page.inner_text("#sessions")
    page.click("#sessions button:has-text('Sign out')")
    page.wait_for_selector("#sessions:not(:has-text('Safari on iPhone'))")
    assert not sessions.find(elsewhere)


def test_a_blank_name_is_told_in_words(dashboard, state):
    page = dashboard()
    fill_key(page, "   ")
    page.wait_for_selector("#keys-refusal:not([hidden])")
    assert "Give the key a name" in page.inner_text("#keys-refusal")
    assert page.evaluate("document.activeElement.id") == "key-name" and not state.keys


def test_without_javascript_nothing_is_shown_that_needs_it(chromium, address, signed_in, browser):
    context = chromium.new_context(base_url=address, java_script_enabled=False)
    context.add_cookies(browser.cookies())
    page = context.new_page()
    page.goto("/dashboard")
    assert "needs JavaScript" in page.inner_text("main") and "One moment" not in page.inner_text("main")
    shown = page.locator("form:visible").evaluate_all("all => all.map((form) => form.method)")
    assert set(shown) == {"post"}
    page.click("text=Sign out >> nth=0")
    page.wait_for_selector("nav :text('Sign in')")
    context.close()
