"""Who is calling: an owner of jobs and uploads, the plan whose limits hold, and what a credential allows."""

import hashlib
import hmac
import ipaddress
from dataclasses import dataclass

from flask import Request

from svc.accounts import keys, secrets, users
from svc.accounts.ledger import Purses
from svc.accounts.models import ApiKey, User
from svc.core.errors import Refusal
from svc.core.limits import PlanLimits
from svc.core.settings import Settings

ANONYMOUS = "anonymous"
SCOPE_GIVES = {"all": {"all", "read", "mcp"}, "mcp": {"mcp", "read"}, "read": {"read"}}


@dataclass(frozen=True)
class Caller:
    """`owner` names the account or, for anonymous callers, a keyed hash of the client's address.

    `via` is how the caller showed who they are (`api_key`), or None; `scope` what that allows.
    """

    owner: str
    plan: str
    limits: PlanLimits
    user: User | None = None
    via: str | None = None
    scope: str = "all"
    key_id: str | None = None
    address: str = ""

    @property
    def anonymous(self) -> bool:
        return self.user is None

    @property
    def purses(self) -> Purses:
        return Purses.of(self.owner, self.limits)

    def require(self, scope: str) -> None:
        """Raises 403 `insufficient_scope` when the credential does not allow this."""
        if scope not in SCOPE_GIVES[self.scope]:
            raise Refusal("insufficient_scope", f"This needs a key with the scope {scope}.")

    def require_account(self) -> None:
        if self.anonymous:
            raise Refusal("unauthorized", "This needs an account.", hint="Send an API key.")


def identify(request: Request, settings: Settings) -> Caller:
    """The caller of a request. Raises 401 for a credential that is not good."""
    credential = credential_of(request)
    if credential is not None:
        return key_caller(known_key(credential), settings)
    owner = "anon:" + address_hash(request.remote_addr or "", settings.secret_key)
    return Caller(owner, ANONYMOUS, settings.limits.anonymous, address=request.remote_addr or "")


def credential_of(request: Request) -> str | None:
    """The key or token that was sent, from either header."""
    if (key := request.headers.get("X-API-Key")) is not None:
        return key if key.startswith(secrets.PREFIX) else secrets.PREFIX + "?"
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def known_key(credential: str) -> ApiKey:
    if not credential.startswith(secrets.PREFIX):
        raise Refusal("invalid_token", "This token is not known.")
    key = keys.find(credential)
    if key is None:
        raise Refusal("invalid_api_key", "This API key is not known, revoked or expired.")
    return key


def key_caller(key: ApiKey, settings: Settings) -> Caller:
    plan = users.plan_of(key.user)
    return Caller(users.owner_of(key.user), plan, settings.limits.plan(plan), key.user, "api_key", key.scopes, key.id)


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
