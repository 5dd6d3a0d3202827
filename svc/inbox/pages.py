"""The pages of the contact form and the waitlist. Their forms work without JavaScript."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request
from flask.typing import ResponseReturnValue

from svc.accounts.caller import cookie_session, visitor_of
from svc.accounts.origin import refuse_other_sites
from svc.core import schema
from svc.core.errors import Refusal
from svc.core.http import invalid, refused
from svc.core.settings import Settings
from svc.inbox import contact, waitlist
from svc.inbox.routes import MISFIT

Body = dict[str, Any]
Act = Callable[[Settings, Body, str], None]

LENGTH = schema.load("contact")["properties"]["message"]
WRONG = {
    "topic": "Choose what it is about.",
    "interest": "Choose what you are waiting for.",
    "email": "This is not an e-mail address.",
    "message": f"Write {LENGTH['minLength']} to {LENGTH['maxLength']} characters.",
}

blueprint = Blueprint("inbox_pages", __name__)


def settings() -> Settings:
    return current_app.config["SETTINGS"]


@blueprint.before_request
def refuse_posts_of_other_sites() -> None:
    if request.method == "POST":
        refuse_other_sites(request, settings())


@blueprint.after_request
def keep_nothing(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/contact")
def contact_form() -> str:
    return render_template("contact.html", topics=contact.TOPICS, form=prefilled(topic=request.args.get("topic")))


@blueprint.post("/contact")
def write() -> ResponseReturnValue:
    return acted("contact", contact.receive, "contact.html", "contact-sent.html", topics=contact.TOPICS)


@blueprint.get("/waitlist")
def waitlist_form() -> str:
    form = prefilled(interest=request.args.get("interest"), ref=ref())
    return render_template("waitlist.html", interests=waitlist.INTERESTS, form=form)


@blueprint.post("/waitlist")
def join() -> ResponseReturnValue:
    return acted("waitlist-join", waitlist.join, "waitlist.html", "waitlist-joined.html", interests=waitlist.INTERESTS)


@blueprint.get("/waitlist/leave")
def leave_form() -> str:
    return render_template("waitlist-leave.html", form=prefilled())


@blueprint.post("/waitlist/leave")
def leave() -> ResponseReturnValue:
    return acted("waitlist-leave", waitlist.leave, "waitlist-leave.html", "waitlist-left.html")


@blueprint.get("/waitlist/leave/confirm")
def confirm_leave() -> Response:
    """Only a button: mail scanners open every link they see, and must not take anybody off the list."""
    response = Response(render_template("waitlist-leave-confirm.html", token=request.args.get("token", "")))
    # The address holds the token. `no-referrer` would hide the origin from our own form's POST as well, which needs it.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


@blueprint.post("/waitlist/leave/confirm")
def use_leave_link() -> ResponseReturnValue:
    try:
        waitlist.confirm_leave(request.form.get("token", ""))
    except Refusal as refusal:
        return refused_page(refusal, "waitlist-bad-link.html")
    return render_template("waitlist-left.html", by_mail=False)


def prefilled(**fields: str | None) -> Body:
    """What the form begins with: the address of who is signed in, and what the link to the page said."""
    session = cookie_session(request, settings())
    return {"email": session.user.email if session else "", **fields}


def ref() -> str:
    """Where the visitor comes from, as far as the link to the page said it in the form that is stored."""
    rule, said = schema.load("waitlist-join")["properties"]["ref"], request.args.get("ref", "").lower()
    return said if len(said) <= rule["maxLength"] and schema.matches(rule["pattern"], said) else ""


def acted(name: str, act: Act, template: str, done: str, **values: Any) -> ResponseReturnValue:
    """Does what the form asks for; a form that is refused is shown again, with what was typed and what is wrong."""
    form = typed()
    try:
        check(name, form)
        act(settings(), form, visitor_of(request, settings()))
    except Refusal as refusal:
        return refused_page(refusal, template, form=form, **values)
    return render_template(done, form=form, by_mail=waitlist.confirms_by_mail(settings()))


def typed() -> Body:
    """The form's fields; browsers end lines with CR LF, and count each end as one character."""
    form = {name: value.replace("\r\n", "\n") for name, value in request.form.items()}
    if "email" in form:
        form["email"] = form["email"].strip()
    return form


def check(name: str, form: Body) -> None:
    """Raises 422, in words for a person."""
    try:
        schema.check(name, form)
    except schema.Invalid as error:
        refusal = invalid(error, MISFIT)
        refusal.message = WRONG.get(error.field, refusal.message)
        raise refusal from error


def refused_page(refusal: Refusal, template: str, **values: Any) -> Response:
    """The page that was being used, with the refusal's status and headers."""
    response = refused(refusal)
    response.set_data(render_template(template, refusal=refusal, **values))
    response.mimetype = "text/html"
    return response
