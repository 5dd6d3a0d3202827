"""The account's pages: sign in by mail, confirm a device, the dashboard. Their forms work without JavaScript.

The dashboard itself carries no data: as on the other pages, the browser asks the API for it.
"""

from typing import Any

from flask import Blueprint, Response, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from svc.accounts import device, mail_link, sessions, users
from svc.accounts.caller import COOKIE, cookie_session, visitor_of
from svc.accounts.models import Session, User
from svc.accounts.origin import refuse_other_sites
from svc.core import schema
from svc.core.errors import Refusal
from svc.core.http import refused
from svc.core.limits import URL_CHARACTERS
from svc.core.settings import Settings

CLIENT_NAMES = {
    "svc-cli": "The svc command-line tool",
    "svc-mac": "The Mac app",
    "svc-mcp": "An assistant or editor (MCP client)",
}
CODE_CHARACTERS = 20  # what may be typed as a code: eight letters, with whatever people put between them

blueprint = Blueprint("account", __name__)


def settings() -> Settings:
    return current_app.config["SETTINGS"]


def session() -> Session | None:
    """The session of this request's cookie, looked up once.

    Unlike a call of the API, a page may be opened by a link from anywhere: what changes something is a POST.
    """
    if "session" not in g:
        g.session = cookie_session(request)
    return g.session


@blueprint.app_context_processor
def who_is_here() -> dict[str, Any]:
    """What the header of every page needs."""
    return {"signed_in": lambda: session() is not None}


@blueprint.before_request
def refuse_posts_of_other_sites() -> None:
    if request.method == "POST":
        refuse_other_sites(request, settings())


@blueprint.after_request
def keep_nothing(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.errorhandler(Refusal)
def refused_page(refusal: Refusal, template: str = "refused.html", **values: Any) -> Response:
    """A refusal's status and headers, with a page for the person instead of JSON for a program."""
    response = refused(refusal)
    response.set_data(render_template(template, refusal=refusal, **values))
    response.mimetype = "text/html"
    return response


def own_path(path: str | None) -> str:
    """Where to go on after signing in: the path that was asked for, if it is one of this site."""
    try:
        path = mail_link.own_path(settings(), path)
    except Refusal:
        return mail_link.HOME
    return path if len(path) <= URL_CHARACTERS else mail_link.HOME


def to_sign_in(path: str) -> ResponseReturnValue:
    return redirect(url_for(".sign_in", next=path), 303)


@blueprint.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    path = own_path(request.args.get("next"))
    if session():
        return redirect(path, 303)
    return render_template("sign-in.html", next=path)


@blueprint.post("/sign-in")
def mail_a_link() -> ResponseReturnValue:
    """The same page whatever the address, so that nobody learns whether it has an account."""
    email, path = request.form.get("email", "").strip(), own_path(request.form.get("next"))
    try:
        require_address(email)
        mail_link.send(settings(), email, path, visitor_of(request, settings()))
    except Refusal as refusal:
        return refused_page(refusal, "sign-in.html", next=path, email=email)
    return render_template("sign-in-sent.html", next=path, email=email, minutes=mail_link.GOOD_MS // 60_000)


def require_address(email: str) -> None:
    """Raises 400 for what the API would not take as an address."""
    try:
        schema.check("magic-link", {"email": email})
    except schema.Invalid as error:
        message = "This is not an e-mail address." if email else "Give your e-mail address."
        raise Refusal("invalid_request", message, field="email") from error


@blueprint.get("/sign-in/confirm")
def confirm() -> ResponseReturnValue:
    """Only a button: mail scanners open every link they see, and must not use this one up."""
    token = request.args.get("token", "")
    response = Response(render_template("sign-in-confirm.html", token=token, email=mail_link.address_of(token)))
    # The address holds the token. `no-referrer` would hide the origin from our own form's POST as well, which needs it.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


@blueprint.post("/sign-in/confirm")
def use_link() -> ResponseReturnValue:
    try:
        user, path = mail_link.use(request.form.get("token", ""), visitor_of(request, settings()))
    except Refusal as refusal:
        return refused_page(refusal, "sign-in-failed.html")
    response = redirect(path, 303)
    keep_signed_in(response, sessions.start(user))
    return response


def keep_signed_in(response: Any, token: str) -> None:
    response.set_cookie(COOKIE, token, max_age=sessions.LIFETIME_MS // 1000, **cookie_rules())


def cookie_rules() -> dict[str, Any]:
    return {"path": "/", "httponly": True, "samesite": "Lax", "secure": settings().root.startswith("https://")}


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    sessions.end(request.cookies.get(COOKIE, ""))
    response = redirect(url_for("site.tool"), 303)
    response.delete_cookie(COOKIE, **cookie_rules())
    return response


@blueprint.get("/dashboard")
def dashboard() -> ResponseReturnValue:
    """A visit moves the cookie's end on, as every use does with the session's."""
    if not session():
        return to_sign_in(url_for(".dashboard"))
    response = Response(render_template("dashboard.html"))
    keep_signed_in(response, request.cookies[COOKIE])
    return response


@blueprint.get("/device")
def ask_for_code() -> ResponseReturnValue:
    code = request.args.get("user_code", "")
    if here := session():
        return render_template("device.html", user=here.user, code=code)
    return to_sign_in(device_path(code))


@blueprint.post("/device")
def answer_device() -> ResponseReturnValue:
    """First the code, then, with `answer`, what the person decided about it."""
    code, answer = request.form.get("user_code", ""), request.form.get("answer")
    here = session()
    if not here:
        return to_sign_in(device_path(code))
    try:
        return decided(here.user, code, answer)
    except Refusal as refusal:
        return refused_page(refusal, "device.html", user=here.user, code=code)


def device_path(code: str) -> str:
    return url_for(".ask_for_code", user_code=code[:CODE_CHARACTERS] or None)


def decided(user: User, code: str, answer: str | None) -> str:
    """The page that asks, or the one that tells what was answered. Raises 404 for a wrong code, 429 for many."""
    login = device.waiting(code, users.owner_of(user))
    client = CLIENT_NAMES[login.client_id]
    if answer not in ("allow", "deny"):
        return render_template("device-ask.html", user=user, client=client, code=login.user_code)
    device.decide(login, user, allow=answer == "allow")
    return render_template("device-done.html", client=client, allowed=answer == "allow")
