"""The account's pages: sign in by mail, confirm a device, the dashboard. Their forms work without JavaScript.

The dashboard carries no data but who is signed in where, which the API does not tell: for the rest the browser asks
the API, as on the other pages.
"""

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from svc.accounts import cookie, device, mail_link, sessions, users
from svc.accounts.browser import label_of
from svc.accounts.caller import cookie_session, visitor_of
from svc.accounts.cookie import COOKIE
from svc.accounts.models import Session, User
from svc.accounts.origin import refuse_other_sites
from svc.core import schema
from svc.core.errors import Refusal
from svc.core.limits import URL_CHARACTERS
from svc.core.settings import Settings
from svc.site.errors import refused_page

CODE_CHARACTERS = 20  # what may be typed as a code: eight letters, with whatever people put between them

blueprint = Blueprint("account", __name__)


def settings() -> Settings:
    return current_app.config["SETTINGS"]


def session() -> Session | None:
    """The session of this request's cookie, looked up once.

    Unlike a call of the API, a page may be opened by a link from anywhere: what changes something is a POST.
    """
    if "session" not in g:
        g.session = cookie_session(request, settings())
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
    try:
        email = mail_link.address_of(token)
    except Refusal as refusal:
        return refused_page(refusal, "sign-in-failed.html")
    here = session()
    now = here.user.email if here else None
    response = Response(render_template("sign-in-confirm.html", token=token, email=email, now=now))
    # The address holds the token. `no-referrer` would hide the origin from our own form's POST as well, which needs it.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


@blueprint.post("/sign-in/confirm")
def use_link() -> ResponseReturnValue:
    """A browser has one session: a new one ends the one it replaces."""
    try:
        user, path = mail_link.use(request.form.get("token", ""), visitor_of(request, settings()))
    except Refusal as refusal:
        return refused_page(refusal, "sign-in-failed.html")
    sessions.end(request.cookies.get(COOKIE, ""))
    response = redirect(path, 303)
    cookie.keep(response, settings(), sessions.start(user, label_of(request.user_agent.string)))
    return response


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    sessions.end(request.cookies.get(COOKIE, ""))
    response = redirect(url_for("site.tool"), 303)
    cookie.clear(response, settings())
    return response


@blueprint.get("/dashboard")
def dashboard() -> ResponseReturnValue:
    here = session()
    if not here:
        return to_sign_in(url_for(".dashboard"))
    return render_template("dashboard.html", here=sessions.name_of(here), sessions=shown_sessions(here.user))


def shown_sessions(user: User) -> list[dict[str, Any]]:
    return [
        {
            "name": sessions.name_of(one),
            "label": one.label,
            "begun": datetime.fromtimestamp(one.created_at / 1000, UTC),
            "seen": datetime.fromtimestamp(sessions.last_seen(one) / 1000, UTC),
        }
        for one in sessions.of(user)
    ]


@blueprint.post("/dashboard/sessions")
def end_sessions() -> ResponseReturnValue:
    """Ends one session, by `name`, or with `others` all but this one."""
    here = session()
    if not here:
        return to_sign_in(url_for(".dashboard"))
    if "others" in request.form:
        sessions.end_others(here)
    else:
        sessions.end_named(here.user, request.form.get("name", ""))
    return redirect(url_for(".dashboard", _anchor="sessions-heading"), 303)


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
    client = device.CLIENTS[login.client_id]
    if answer not in ("allow", "deny"):
        return render_template("device-ask.html", user=user, client=client, code=login.user_code)
    device.decide(login, user, allow=answer == "allow")
    return render_template("device-done.html", client=client, allowed=answer == "allow")
