"""The door out: an account and everything it owns is deleted."""

from flask import Blueprint, Response, current_app, request

from svc.accounts.caller import COOKIE, identify
from svc.core.describe import describes
from svc.core.http import answer
from svc.jobs.owners import delete_account

blueprint = Blueprint("owners", __name__)


@blueprint.delete("/v1/account")
@describes(
    "Delete the account and everything it owns",
    scope="all",
    account=True,
    answers={200: "ok"},
    refusals=("session_required",),
)
def delete() -> Response:
    settings = current_app.config["SETTINGS"]
    user = identify(request, settings).require_session()
    delete_account(settings, user)
    response = answer({"ok": True})
    response.delete_cookie(COOKIE)
    return response
