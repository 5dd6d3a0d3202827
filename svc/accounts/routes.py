"""The doors to accounts: who am I, keys, sign-in by mail, device login."""

from flask import Blueprint, Response, current_app, request

from svc.accounts import description as doc
from svc.accounts import device, keys, mail_link, sessions
from svc.accounts.caller import Caller, credential_of, identify, visitor_of
from svc.accounts.device import GrantError
from svc.accounts.models import ApiKey
from svc.accounts.origin import refuse_other_sites
from svc.accounts.profile import profile
from svc.core import schema
from svc.core.database import db
from svc.core.describe import describes
from svc.core.errors import Refusal
from svc.core.http import answer, json_body
from svc.core.settings import Settings

blueprint = Blueprint("accounts", __name__)


def settings() -> Settings:
    return current_app.config["SETTINGS"]


def caller() -> Caller:
    return identify(request, settings())


@blueprint.get("/v1/me")
@describes("Who is calling", scope="read", answers={200: "me"})
def me() -> Response:
    who = caller()
    who.require("read")
    return answer(profile(settings(), who))


@blueprint.get("/v1/keys")
@describes("List the account's keys", scope="all", account=True, answers={200: "key-list"})
def list_keys() -> Response:
    who = caller()
    user = who.require_account()
    who.require("all")
    return answer([keys.key_json(key) for key in keys.active(user).order_by(ApiKey.created_at.desc())])


@blueprint.post("/v1/keys")
@describes(
    "Make an API key",
    scope="all",
    account=True,
    body="key-create",
    answers={201: "key"},
    refusals=("session_required", "key_limit_reached"),
)
def create_key() -> Response:
    who = caller()
    user = who.require_session()
    body = json_body("key-create")
    most = settings().limits.service.api_keys
    scopes, days = body.get("scopes", "all"), body.get("expiresInDays")
    via = "dashboard" if who.via == "session" else "session"
    key, secret = keys.create(user, body["name"], most, scopes, days, via)
    return answer(keys.key_json(key, secret), 201)


@blueprint.delete("/v1/keys/<key_id>")
@describes(
    "Revoke an API key",
    scope="all",
    account=True,
    parameters=(doc.KEY,),
    answers={200: "ok"},
    refusals=("session_required", "not_found"),
)
def revoke_key(key_id: str) -> Response:
    user = caller().require_session()
    key = keys.active(user).where(ApiKey.id == key_id).first()
    if key is None:
        raise Refusal("not_found", "There is no such key. It may have been revoked already.")
    keys.revoke(key)
    return answer({"ok": True})


@blueprint.post("/v1/cli/exchange")
@describes(
    "Exchange a device's session for an API key",
    scope="all",
    account=True,
    body="cli-exchange",
    answers={201: "key"},
    refusals=("session_required", "key_limit_reached"),
)
def exchange() -> Response:
    who = caller()
    user = who.require_session()
    if who.via != "bearer":
        raise Refusal("session_required", "This needs the session token of a device login as a bearer.")
    body = json_body("cli-exchange")
    label, most = body.get("deviceLabel"), settings().limits.service.api_keys
    scopes = body.get("scopes", "all")
    with db.atomic():  # without a key the session stays
        if not sessions.end(credential_of(request) or ""):
            raise Refusal("invalid_token", "This session has ended.")
        key, secret = keys.create(user, label or "Command line", most, scopes, via="device", device_label=label)
    return answer(keys.key_json(key, secret), 201)


@blueprint.post("/auth/sign-in/magic-link")
@describes(
    "Mail a sign-in link",
    body="magic-link",
    answers={200: "magic-link-sent"},
    refusals=("bad_origin", "rate_limited", "busy"),
)
def send_link() -> Response:
    refuse_other_sites(request, settings())
    body = json_body("magic-link")
    mail_link.send(settings(), body["email"], body.get("callbackURL"), visitor_of(request, settings()))
    return answer({"status": True})


@blueprint.post("/auth/device/code")
@describes(
    "Begin a device login",
    body=doc.DEVICE_CODE,
    answers={200: "device-code-answer"},
    refusals=("rate_limited",),
)
def device_code() -> Response:
    body = json_or_form("device-code")
    return answer(device.begin(settings(), body["client_id"], visitor_of(request, settings())))


@blueprint.post("/auth/device/token")
@describes(
    "Collect the session of a device login",
    body=doc.DEVICE_TOKEN,
    answers={200: "device-token-answer", 400: "oauth-error"},
)
def device_token() -> Response:
    """Refusals have OAuth's own shape, for the clients that exist."""
    try:
        body = json_or_form("device-token")
        return answer(device.collect(body["grant_type"], body["device_code"], body["client_id"]))
    except Refusal as refusal:
        return answer({"error": "invalid_request", "error_description": refusal.message}, 400)
    except GrantError as error:
        return answer({"error": error.code, "error_description": error.description}, 400)


def json_or_form(name: str) -> dict[str, str]:
    """The body as JSON or, as OAuth clients send it, as a form; a field given twice or wrongly is refused."""
    if request.mimetype != "application/x-www-form-urlencoded":
        return json_body(name)
    if any(len(values) > 1 for _, values in request.form.lists()):
        raise Refusal("invalid_request", "A field is given twice.")
    fields = request.form.to_dict()
    try:
        schema.check(name, fields)
    except schema.Invalid as error:
        raise Refusal("invalid_request", str(error), field=error.field) from error
    return fields
