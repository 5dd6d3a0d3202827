"""The device authorization grant (RFC 8628): a device shows a code, a signed-in person confirms it."""

import secrets as random

from svc.accounts import sessions
from svc.accounts.models import DeviceLogin, User
from svc.accounts.secrets import hashed
from svc.core import clock
from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.ratelimit import RateLimit
from svc.core.settings import Settings

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
CLIENTS = {
    "svc-cli": "The svc command-line tool",
    "svc-mac": "The Mac app",
    "svc-mcp": "An assistant or editor (MCP client)",
}
# RFC 8628 section 6.1: no vowels, so that no words come up, and none of the letters that look alike.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LETTERS = 8
GOOD_SECONDS = 900
INTERVAL_SECONDS = 5
SLOWER_SECONDS = 5

CODES_A_VISITOR, GUESSES = 20, 10
TEN_MINUTES = 600

new_codes, guesses = RateLimit(TEN_MINUTES), RateLimit(TEN_MINUTES)


class GrantError(Exception):
    """A token request that is answered with 400 in OAuth's own shape. `code` is RFC 6749's or RFC 8628's."""

    def __init__(self, code: str, description: str):
        self.code, self.description = code, description
        super().__init__(f"{code}: {description}")


def begin(settings: Settings, client_id: str, visitor: str) -> dict[str, object]:
    """RFC 8628 section 3.2: a device code and the user code that belongs to it. Raises 429."""
    if wait := new_codes.wait(visitor, CODES_A_VISITOR):
        raise Refusal("rate_limited", "Too many device codes.", retry_after=int(wait) + 1)
    device_code, user_code = random.token_urlsafe(32), "".join(random.choice(LETTERS) for _ in range(CODE_LETTERS))
    DeviceLogin.create(
        device_hash=hashed(device_code),
        user_code=user_code,
        client_id=client_id,
        interval=INTERVAL_SECONDS,
        expires_at=clock.now_ms() + GOOD_SECONDS * 1000,
    )
    page, shown = f"{settings.root}/device", f"{user_code[:4]}-{user_code[4:]}"
    return {
        "device_code": device_code,
        "user_code": shown,
        "verification_uri": page,
        "verification_uri_complete": f"{page}?user_code={shown}",
        "expires_in": GOOD_SECONDS,
        "interval": INTERVAL_SECONDS,
    }


def waiting(user_code: str, guesser: str) -> DeviceLogin:
    """The device that shows this code. Raises 404 `not_found`, and 429 after too many wrong codes.

    A guess is counted before it is looked at, so that many at once are no more than one after the other; a right one
    is taken back.
    """
    if wait := guesses.wait(guesser, GUESSES):
        raise Refusal("rate_limited", "Too many wrong codes.", retry_after=int(wait) + 1)
    letters = "".join(c for c in user_code.upper() if c.isalpha())
    asked = (DeviceLogin.user_code == letters) & (DeviceLogin.expires_at > clock.now_ms())
    login = DeviceLogin.get_or_none(asked & DeviceLogin.user.is_null() & ~DeviceLogin.denied)
    if login is None:
        raise Refusal("not_found", "No device shows this code. It may have expired.")
    guesses.take_back(guesser)
    return login


def decide(login: DeviceLogin, user: User, allow: bool) -> None:
    """A person's answer, given once."""
    changes = {"user": user} if allow else {"denied": True}
    unanswered = (DeviceLogin.device_hash == login.device_hash) & DeviceLogin.user.is_null() & ~DeviceLogin.denied
    DeviceLogin.update(**changes).where(unanswered).execute()


def collect(grant_type: str, device_code: str, client_id: str) -> dict[str, object]:
    """RFC 8628 section 3.5: the session token of a confirmed device, once. Raises GrantError."""
    if client_id not in CLIENTS:
        raise GrantError("invalid_client", "This client_id is not known.")
    if grant_type != GRANT:
        raise GrantError("unsupported_grant_type", f"grant_type must be {GRANT}.")
    with db.atomic():
        login = DeviceLogin.get_or_none(DeviceLogin.device_hash == hashed(device_code))
        if login is None or login.client_id != client_id:
            raise GrantError("invalid_grant", "This device code is not known to this client.")
        problem = problem_of(login)
        if problem is None:
            login.delete_instance()
        token = sessions.start(login.user, CLIENTS[client_id]) if login.user and not problem else None
    if problem:
        raise problem
    return {
        "access_token": token,
        "token_type": "Bearer",
        "expires_in": sessions.LIFETIME_MS // 1000,
        "scope": "all",
    }


def problem_of(login: DeviceLogin) -> GrantError | None:
    """Why the device cannot have its token now."""
    if login.denied:
        return GrantError("access_denied", "The person said no.")
    if login.expires_at <= clock.now_ms():
        return GrantError("expired_token", "The code has expired. Start again.")
    return None if login.user else ask_again(login)


def ask_again(login: DeviceLogin) -> GrantError:
    """Not yet; and a client that asks faster than it may has to wait longer from now on."""
    now, last = clock.now_ms(), login.polled_at
    hasty = last is not None and now - last < login.interval * 1000
    interval = login.interval + (SLOWER_SECONDS if hasty else 0)
    DeviceLogin.update(polled_at=now, interval=interval).where(DeviceLogin.device_hash == login.device_hash).execute()
    if hasty:
        return GrantError("slow_down", f"Wait {interval} seconds between requests.")
    return GrantError("authorization_pending", "The person has not confirmed yet.")
