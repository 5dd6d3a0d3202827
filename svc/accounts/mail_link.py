"""Sign-in by a link that is mailed: good for 15 minutes and once. The first sign-in makes the account."""

import re
import secrets as random
from functools import partial
from urllib.parse import urlencode

from svc.accounts import users
from svc.accounts.models import MailLink, User
from svc.accounts.secrets import hashed
from svc.core import clock, post
from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.ratelimit import RateLimit
from svc.core.settings import Settings

GOOD_MS = 15 * 60 * 1000
HOUR_SECONDS = 3600
LINKS_AN_ADDRESS = 5
LINKS_A_VISITOR = 20
TRIES_A_VISITOR = 30
HOME = "/dashboard"
# A path of this site: one slash and no second one or backslash, which browsers take for another host.
OWN_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\\]*")

TEXT = """\
Somebody, probably you, wants to sign in to {root} with this address.

Open this page within 15 minutes and press the button there:

{link}

If it was not you, ignore this mail: nothing happens without the button.
"""

links, visits, tries = RateLimit(HOUR_SECONDS), RateLimit(HOUR_SECONDS), RateLimit(HOUR_SECONDS)


def send(settings: Settings, email: str, callback: str | None, visitor: str) -> None:
    """Mails a link, to whatever address: nobody learns whether it has an account, or whether mail reaches it.

    Raises 400 or 429. A mail that cannot be sent does not count against its address.
    """
    email, path = email.strip().lower(), own_path(settings, callback)
    slow_down(visits.wait(visitor, LINKS_A_VISITOR) or links.wait(email, LINKS_AN_ADDRESS))
    text = TEXT.format(root=settings.root, link=make(settings, email, path))
    post.post(settings, email, "Your sign-in link", text, given_up=partial(links.take_back, email))


def make(settings: Settings, email: str, callback: str | None = None) -> str:
    """A new link, for whoever holds it. Raises 400 for a callback that leaves this site."""
    token = random.token_urlsafe(32)
    MailLink.create(
        token_hash=hashed(token),
        email=email.strip().lower(),
        callback=own_path(settings, callback),
        expires_at=clock.now_ms() + GOOD_MS,
    )
    return f"{settings.root}/sign-in/confirm?" + urlencode({"token": token})


def own_path(settings: Settings, callback: str | None) -> str:
    path = (callback or HOME).removeprefix(settings.root) or "/"
    if not OWN_PATH.fullmatch(path):
        raise Refusal("invalid_request", "callbackURL must be a path of this site.", field="callbackURL")
    return path


def use(token: str, visitor: str) -> tuple[User, str]:
    """The account of a good link, and where to go on. Raises 401 `invalid_token`, once it was used too."""
    slow_down(tries.wait(visitor, TRIES_A_VISITOR))
    with db.atomic():
        link = good_link(token)
        if link is None:
            raise bad_link()
        link.delete_instance()
        user = User.get_or_none(User.email == link.email) or users.create(link.email)
    return user, link.callback


def address_of(token: str) -> str:
    """Whom a good link signs in. Does not use it up. Raises 400 without a token, 410 for one that is good no more."""
    if not token:
        raise Refusal("invalid_request", "This link is incomplete.", field="token")
    link = good_link(token)
    if link is None:
        raise bad_link(410)
    return link.email


def good_link(token: str) -> MailLink | None:
    return MailLink.get_or_none((MailLink.token_hash == hashed(token)) & (MailLink.expires_at > clock.now_ms()))


def bad_link(status: int = 401) -> Refusal:
    return Refusal("invalid_token", "This link was used already, or is older than 15 minutes.", status=status)


def slow_down(wait: float) -> None:
    if wait:
        raise Refusal("rate_limited", "Too many tries.", retry_after=int(wait) + 1)
