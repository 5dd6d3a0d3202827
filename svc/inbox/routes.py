"""The doors to the contact form and the waitlist. Nobody is asked who they are; pages of other sites are refused."""

from typing import Any

from flask import Blueprint, Response, current_app, render_template, request

from svc.accounts.caller import visitor_of
from svc.accounts.origin import refuse_other_sites
from svc.core.describe import Answer, describes, json_answer, json_content, parameter
from svc.core.errors import Refusal
from svc.core.http import answer, json_body, refused
from svc.core.settings import Settings
from svc.inbox import contact, waitlist

MISFIT = 422
PAGE = {"text/html": {"schema": {"type": "string"}}}
CONFIRMED = Answer(json_answer("ok").description, {**json_content("ok"), **PAGE})
NOT_CONFIRMED = Answer("The link is unknown, used up or older than 7 days.", {**json_content("error"), **PAGE})
TOKEN = parameter("query", "token", "The token of the mailed link.", {"type": "string"}, required=True)

blueprint = Blueprint("inbox", __name__)


def settings() -> Settings:
    return current_app.config["SETTINGS"]


def body_from_own_site(name: str) -> Any:
    refuse_other_sites(request, settings())
    return json_body(name, misfit=MISFIT)


@blueprint.post("/v1/contact")
@describes(
    "Write to the operator", body="contact", answers={200: "ok"}, refusals=("bad_origin", "rate_limited"), misfit=MISFIT
)
def write() -> Response:
    body = body_from_own_site("contact")
    contact.receive(settings(), body, visitor_of(request, settings()))
    return answer({"ok": True})


@blueprint.post("/v1/waitlist")
@describes(
    "Join the waitlist",
    body="waitlist-join",
    answers={200: "waitlist-joined"},
    refusals=("bad_origin", "rate_limited"),
    misfit=MISFIT,
)
def join() -> Response:
    body = body_from_own_site("waitlist-join")
    waitlist.join(settings(), body, visitor_of(request, settings()))
    return answer({"ok": True, "confirm_by_email": waitlist.confirms_by_mail(settings())})


@blueprint.post("/v1/waitlist/leave")
@describes(
    "Leave the waitlist",
    body="waitlist-leave",
    answers={200: "ok"},
    refusals=("bad_origin", "rate_limited"),
    misfit=MISFIT,
)
def leave() -> Response:
    """Where `confirm_by_email` is true, an address that is on the list gets a mail with a link that takes it off."""
    body = body_from_own_site("waitlist-leave")
    waitlist.leave(settings(), body, visitor_of(request, settings()))
    return answer({"ok": True})


@blueprint.get("/v1/waitlist/confirm")
@describes(
    "Confirm a place on the waitlist",
    parameters=(TOKEN,),
    answers={200: CONFIRMED, MISFIT: NOT_CONFIRMED},
    misfit=MISFIT,
)
def confirm() -> Response:
    """Where the link of the mail leads: a page for a browser, JSON for others. Opening it again changes nothing."""
    try:
        waitlist.confirm_join(request.args.get("token", ""))
    except Refusal as refusal:
        return for_reader(refused(refusal), "waitlist-bad-link.html", refusal=refusal)
    return for_reader(answer({"ok": True}), "waitlist-confirmed.html")


def for_reader(response: Response, template: str, **values: Any) -> Response:
    """The answer as it is, or as a page when the reader asks for one."""
    response.headers["Vary"] = "Accept"
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
        response.set_data(render_template(template, **values))
        response.mimetype = "text/html"
    return response
