"""Sign-in, device and dashboard pages as the server sends them; all of it works without JavaScript."""

import re
from dataclasses import replace
from email import message_from_bytes, policy

import pytest
from freezegun import freeze_time

from svc.accounts import device, mail_link, sessions
from svc.accounts.caller import COOKIE

OTHER_SITE = {"Origin": "https://elsewhere.example"}
FORMS = ("/sign-in", "/sign-in/confirm", "/sign-out", "/device")


@pytest.fixture(autouse=True)
def fresh_limits():
    for limit in (mail_link.links, mail_link.visits, mail_link.tries, device.new_codes, device.guesses):
        limit.hits.clear()


@pytest.fixture
def settings(site_app):
    return site_app.config["SETTINGS"]


@pytest.fixture
def code(settings):
    return device.begin(settings, "svc-cli", "visitor")["user_code"]


@pytest.fixture
def token(settings):
    return mail_link.make(settings, "ada@example.org", "/device").rpartition("=")[2]


def mails(settings):
    return [message_from_bytes(p.read_bytes(), policy=policy.default) for p in settings.folder("outbox").iterdir()]


def test_the_form_mails_a_link_that_goes_on_to_next(client, settings):
    page = client.get("/sign-in?next=/device?user_code=ABCD")
    [path] = re.findall(r'name="next" value="([^"]*)"', page.text)
    answer = client.post("/sign-in", data={"email": " Ada@example.org ", "next": path})
    assert "a link is on its way" in answer.text
    [mail] = [mail for mail in mails(settings) if mail["To"] == "ada@example.org"]
    link = re.search(r"token=(\S+)", mail.get_content())[1]
    assert client.post("/sign-in/confirm", data={"token": link}).location == "/device?user_code=ABCD"


@pytest.mark.parametrize("path", ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "x", ""])
def test_next_never_leaves_the_site(client, path):
    assert 'name="next" value="/dashboard"' in client.get("/sign-in", query_string={"next": path}).text


@pytest.mark.parametrize("email", ["", "ada", "ada@nowhere", "ada@example.org\r\nBcc: eve@example.org"])
def test_a_malformed_address_is_told_on_the_page(client, email):
    answer = client.post("/sign-in", data={"email": email})
    assert (answer.status_code, answer.mimetype) == (400, "text/html")
    assert 'role="alert"' in answer.text and 'aria-invalid="true"' in answer.text


def test_too_many_links_are_told_on_the_page(client):
    answers = [client.post("/sign-in", data={"email": "often@example.org"}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert "Too many tries" in answers[-1].text and answers[-1].headers["Retry-After"]


def test_a_mail_server_that_is_down_does_not_show_on_the_page(client, site_app, settings, monkeypatch):
    monkeypatch.setitem(site_app.config, "SETTINGS", replace(settings, smtp_url="smtp://127.0.0.1:1"))
    answer = client.post("/sign-in", data={"email": "ada@example.org"})
    assert answer.status_code == 200 and "a link is on its way" in answer.text


def test_opening_the_link_does_not_use_it_up(client, token):
    page = client.get(f"/sign-in/confirm?token={token}")
    assert (page.headers["Cache-Control"], page.headers["Referrer-Policy"]) == ("no-store", "strict-origin")
    assert "Set-Cookie" not in page.headers
    assert client.post("/sign-in/confirm", data={"token": token}).status_code == 303


def test_the_cookie_is_kept_from_scripts_and_other_sites(client, token):
    cookie = client.post("/sign-in/confirm", data={"token": token}).headers["Set-Cookie"]
    rules = dict(part.partition("=")[::2] for part in cookie.split("; "))
    assert rules["HttpOnly"] == "" and "Secure" not in rules
    assert (rules["SameSite"], rules["Path"], int(rules["Max-Age"])) == ("Lax", "/", sessions.LIFETIME_MS // 1000)


def test_the_cookie_is_secure_where_the_site_is(client, token, site_app, settings, monkeypatch):
    monkeypatch.setitem(site_app.config, "SETTINGS", replace(settings, site_root="https://example.org"))
    assert "; Secure" in client.post("/sign-in/confirm", data={"token": token}).headers["Set-Cookie"]


def test_a_used_link_leads_back_to_the_form(client, token):
    client.post("/sign-in/confirm", data={"token": token})
    again = client.post("/sign-in/confirm", data={"token": token})
    assert (again.status_code, again.mimetype) == (401, "text/html")
    assert "was used already" in again.text and 'href="/sign-in"' in again.text


@pytest.mark.parametrize(("query", "status", "told"), [("", 400, "incomplete"), ("?token=x", 410, "used already")])
def test_a_link_that_does_not_work_says_so_before_its_button(client, query, status, told):
    page = client.get(f"/sign-in/confirm{query}")
    assert (page.status_code, page.mimetype) == (status, "text/html")
    assert told in page.text and 'href="/sign-in"' in page.text and "<button" not in page.text


def test_a_used_or_old_link_is_gone(client, settings, token):
    with freeze_time() as time:
        client.post("/sign-in/confirm", data={"token": token})
        assert client.get(f"/sign-in/confirm?token={token}").status_code == 410
        old = mail_link.make(settings, "ada@example.org").rpartition("=")[2]
        time.tick(mail_link.GOOD_MS / 1000)
        assert client.get(f"/sign-in/confirm?token={old}").status_code == 410


@pytest.mark.parametrize("path", FORMS)
def test_forms_of_other_sites_get_a_page_that_refuses(client, signed_in, path):
    answer = client.post(path, headers=OTHER_SITE)
    assert (answer.status_code, answer.mimetype) == (403, "text/html")
    assert "another site" in answer.text
    assert client.get("/dashboard").status_code == 200


def test_a_link_from_another_site_opens_a_page(client, signed_in):
    assert client.get("/dashboard", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_signing_out_ends_the_session(client, signed_in):
    token = client.get_cookie(COOKIE).value
    answer = client.post("/sign-out")
    assert answer.location == "/" and client.get_cookie(COOKIE) is None
    assert sessions.find(token) is None


@pytest.mark.parametrize("path", ["/dashboard", "/device?user_code=BCDF-GHJK"])
def test_pages_for_people_signed_in_come_after_signing_in(client, path):
    answer = client.get(path)
    assert answer.status_code == 303
    assert f'name="next" value="{path}"' in client.get(answer.location).text


def test_who_is_signed_in_needs_no_sign_in_page(client, signed_in):
    assert client.get("/sign-in?next=/device").location == "/device"


@pytest.mark.parametrize("path", ["/", "/dashboard", "/nowhere"])
def test_the_header_leads_to_the_dashboard(client, signed_in, path):
    assert 'href="/dashboard"' in client.get(path).text


def test_the_header_leads_to_the_sign_in(client):
    assert 'href="/sign-in"' in client.get("/").text


def test_account_pages_load_nothing_inline(client, signed_in, code):
    pages = [client.get(path) for path in ("/sign-in/confirm?token=x", "/device", "/dashboard")]
    pages += [client.post("/device", data={"user_code": code}), client.post("/device", data={"user_code": "x"})]
    for page in pages:
        assert page.headers["Cache-Control"] == "no-store"
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page.text)


@pytest.mark.parametrize(("answer", "collected"), [("allow", "access_token"), ("deny", "access_denied")])
def test_a_device_gets_what_the_person_answers(client, signed_in, settings, answer, collected):
    login = device.begin(settings, "svc-mac", "visitor")
    page = client.post("/device", data={"user_code": login["user_code"].lower()})
    assert "The Mac app" in page.text and login["user_code"] in page.text
    client.post("/device", data={"user_code": login["user_code"], "answer": answer})
    try:
        assert collected in device.collect(device.GRANT, login["device_code"], "svc-mac")
    except device.GrantError as error:
        assert error.code == collected


def test_what_a_device_may_do_is_said_before_it_may(client, signed_in, code):
    page = client.post("/device", data={"user_code": code}).text
    for right in ("spend your minutes", "make and revoke API keys", "delete your account", signed_in.email):
        assert right in page


def test_the_code_of_the_link_is_filled_in(client, signed_in):
    assert 'value="BCDF-GHJK"' in client.get("/device?user_code=BCDF-GHJK").text


def test_a_wrong_code_is_told_and_guessing_is_limited(client, signed_in):
    answers = [client.post("/device", data={"user_code": "bbbb-bbbb"}) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429]
    assert "No device shows this code" in answers[0].text and "Too many wrong codes" in answers[-1].text


def test_nobody_answers_for_a_device_without_signing_in(client, code):
    answer = client.post("/device", data={"user_code": code, "answer": "allow"})
    assert answer.location.startswith("/sign-in?next=")
