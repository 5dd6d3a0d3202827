"""Who is calling: an owner to whom jobs and uploads belong, and the plan whose limits hold."""

import hashlib
import hmac
import ipaddress
from dataclasses import dataclass

from flask import Request

from svc.core.errors import Refusal
from svc.core.limits import PlanLimits
from svc.core.settings import Settings

KEY_PREFIX = "svc_live_"


@dataclass(frozen=True)
class Caller:
    """`owner` names the account or, for anonymous callers, a keyed hash of the client's address."""

    owner: str
    plan: str
    limits: PlanLimits

    @property
    def anonymous(self) -> bool:
        return self.plan == "anonymous"


def identify(request: Request, settings: Settings) -> Caller:
    """The caller of a request. Raises 401 for a credential that is not good."""
    refuse_unknown_credential(request)
    owner = "anon:" + address_hash(request.remote_addr or "", settings.secret_key)
    return Caller(owner, "anonymous", settings.limits.anonymous)


def refuse_unknown_credential(request: Request) -> None:
    key = request.headers.get("X-API-Key")
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if key is not None or token.startswith(KEY_PREFIX):
        raise Refusal("invalid_api_key", "This API key is not known.")
    if scheme.lower() == "bearer":
        raise Refusal("invalid_token", "This token is not known.")


def address_hash(address: str, secret: str) -> str:
    """Tells anonymous callers apart without storing their address; an IPv6 client is its /64."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        network = address
    else:
        network = str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)
    return hmac.new(secret.encode(), network.encode(), hashlib.sha256).hexdigest()[:32]
