"""Who is calling: an owner of jobs and uploads, the plan whose limits hold, and what a credential allows."""

import hashlib
import hmac
import ipaddress
from dataclasses import dataclass
from typing import NoReturn

import peewee
from flask import Request, Response, after_this_request

from svc.accounts import cookie, keys, origin, secrets, sessions, users
from svc.accounts.cookie import COOKIE
from svc.accounts.ledger import Purses
from svc.accounts.models import ApiKey, Session, User
from svc.core.errors import Refusal
from svc.core.limits import PlanLimits
from svc.core.settings import Settings

ANONYMOUS = "anonymous"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SCOPE_GIVES = {"all": {"all", "read", "mcp"}, "mcp": {"mcp", "read"}, "read": {"read"}}


@dataclass(frozen=True)
class Caller:
    """`owner` names the account or, for anonymous callers, a keyed hash of the client's address.

    `via` is how the caller showed who they are (`api_key`, `bearer`, `session`), or None; `scope` what that allows.
    """

    owner: str
    plan: str
    limits: PlanLimits
    user: User | None = None
    via: str | None = None
    scope: str = "all"
    key_id: str | None = None
    session_hash: str | None = None
    address: str = ""

    @property
    def anonymous(self) -> bool:
        return self.user is None

    @property
    def purses(self) -> Purses:
        return Purses.of(self.owner, self.limits)

    def is_still_good(self) -> peewee.ColumnBase:
        """A condition for any query: the credential has not ended meanwhile. Without one there is nothing to end."""
        if self.key_id:
            return peewee.fn.EXISTS(ApiKey.select().where((ApiKey.id == self.key_id) & keys.is_active()))
        if self.session_hash:
            same = Session.token_hash == self.session_hash
            return peewee.fn.EXISTS(Session.select().where(same & sessions.is_good()))
        return peewee.Value(True)

    def require(self, scope: str) -> None:
        """Raises 403 `insufficient_scope` when the credential does not allow this."""
        if scope not in SCOPE_GIVES[self.scope]:
            raise Refusal("insufficient_scope", f"This needs a key with the scope {scope}.")

    def require_account(self) -> User:
        """The account. Raises 401 `unauthorized` without one."""
        if self.user is None:
            raise Refusal("unauthorized", "This needs an account.", hint="Send an API key.")
        return self.user

    def require_session(self) -> User:
        """The account of a person who is signed in. Raises 401 without one, 403 `session_required` for a key."""
        user = self.require_account()
        if self.via == "api_key":
            raise Refusal("session_required", "This needs a signed-in session, not an API key.")
        return user


def identify(request: Request, settings: Settings) -> Caller:
    """The caller of a request: by header, else by cookie, else anonymous.

    Raises 401 for a credential that is not good, 403 `bad_origin` for a cookie sent by another site's page. With the
    cookie of a session that has ended, a request that only reads is anonymous and any other is 401.
    """
    credential = credential_of(request)
    if credential is not None:
        return header_caller(credential, settings)
    if session := cookie_session(request, settings):
        origin.refuse_other_sites(request, settings)
        return session_caller(session, settings, "session")
    if request.cookies.get(COOKIE) and request.method not in SAFE_METHODS:
        refuse_ended_session(settings)
    owner = "anon:" + visitor_of(request, settings)
    return Caller(owner, ANONYMOUS, settings.limits.anonymous, address=request.remote_addr or "")


def header_caller(credential: str, settings: Settings) -> Caller:
    if credential.startswith(secrets.PREFIX):
        return key_caller(known_key(credential), settings)
    session = sessions.find(credential)
    if session is None:
        raise Refusal("invalid_token", "This token is not known or has ended.")
    sessions.move_end(session)
    return session_caller(session, settings, "bearer")


def cookie_session(request: Request, settings: Settings) -> Session | None:
    """The browser's session, whose cookie lasts as long as it. A cookie of one that has ended counts as none."""
    token = request.cookies.get(COOKIE)
    session = sessions.find(token) if token else None
    if token and session and sessions.move_end(session):
        renew_cookie(settings, token)
    return session


def renew_cookie(settings: Settings, token: str) -> None:
    @after_this_request
    def renew(response: Response) -> Response:
        if not cookie.is_set(response):  # by a sign-out, or a sign-in anew
            cookie.keep(response, settings, token)
        return response


def refuse_ended_session(settings: Settings) -> NoReturn:
    """401, and the browser forgets the cookie: what a person began signed in goes on without an account only if they
    send it once more."""

    @after_this_request
    def forget(response: Response) -> Response:
        cookie.clear(response, settings)
        return response

    raise Refusal(
        "unauthorized",
        "You are not signed in any more.",
        hint="Sign in again, or send this once more to go on without an account.",
    )


def session_caller(session: Session, settings: Settings, via: str) -> Caller:
    plan = users.plan_of(session.user)
    owner, limits = users.owner_of(session.user), settings.limits.plan(plan)
    return Caller(owner, plan, limits, session.user, via, session_hash=session.token_hash)


def visitor_of(request: Request, settings: Settings) -> str:
    """What tells visitors apart: a keyed hash of the client's address."""
    return address_hash(request.remote_addr or "", settings.secret_key)


def credential_of(request: Request) -> str | None:
    """The key or token that was sent, or None without either header. Raises 401 for one that is sent in another way:
    who means to be somebody must not be taken for nobody."""
    if (key := request.headers.get("X-API-Key")) is not None:
        if not key.startswith(secrets.PREFIX):
            raise Refusal("invalid_token", "This is not an API key.")
        return key
    if (sent := request.headers.get("Authorization")) is None:
        return None
    scheme, _, token = sent.strip().rpartition(" ")
    if scheme.strip().lower() != "bearer":
        code = "invalid_api_key" if token.startswith(secrets.PREFIX) else "invalid_token"
        raise Refusal(code, "Authorization must be Bearer, a space, and a key or token.")
    return token


def known_key(credential: str) -> ApiKey:
    key = keys.find(credential)
    if key is None:
        raise Refusal("invalid_api_key", "This API key is not known, revoked or expired.")
    return key


def key_caller(key: ApiKey, settings: Settings) -> Caller:
    plan = users.plan_of(key.user)
    return Caller(users.owner_of(key.user), plan, settings.limits.plan(plan), key.user, "api_key", key.scopes, key.id)


def caller_of(owner: str, settings: Settings) -> Caller | None:
    """The caller that an owner was, for work in its name; None when the account is gone."""
    if not owner.startswith(users.OWNER_PREFIX):
        return Caller(owner, ANONYMOUS, settings.limits.anonymous)
    user = users.of_owner(owner)
    return account_caller(user, settings) if user else None


def account_caller(user: User, settings: Settings) -> Caller:
    plan = users.plan_of(user)
    return Caller(users.owner_of(user), plan, settings.limits.plan(plan), user)


def limits_of(owner: str, settings: Settings) -> PlanLimits:
    """The limits in force for an owner, for work that ends after its caller is gone."""
    if not owner.startswith("user:"):
        return settings.limits.anonymous
    user = User.get_or_none(User.id == owner.removeprefix("user:"))
    return settings.limits.plan(users.plan_of(user) if user else "free")


def address_hash(address: str, secret: str) -> str:
    """Tells anonymous callers apart without storing their address; an IPv6 client is its /64."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        network = address
    else:
        network = str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)
    return hmac.new(secret.encode(), network.encode(), hashlib.sha256).hexdigest()[:32]
