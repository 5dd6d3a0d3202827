"""Sessions: revocable tokens, sent as a bearer or a cookie, stored hashed, good for 30 days after their last use."""

import secrets as random

from svc.accounts.models import Session, User
from svc.accounts.secrets import hashed
from svc.core import clock

DAY_MS = 24 * 3600 * 1000
LIFETIME_MS = 30 * DAY_MS
# A session's end moves on at most once a day: not a write for every request.
RENEWED_AFTER_MS = DAY_MS


def start(user: User) -> str:
    """A new session's token."""
    token, now = random.token_urlsafe(32), clock.now_ms()
    Session.create(token_hash=hashed(token), user=user, created_at=now, expires_at=now + LIFETIME_MS)
    return token


def find(token: str) -> Session | None:
    """The session of a token, with its user, unless it has ended."""
    wanted = (Session.token_hash == hashed(token)) & (Session.expires_at > clock.now_ms())
    session = Session.select(Session, User).join(User).where(wanted).first()
    if session and session.expires_at < clock.now_ms() + LIFETIME_MS - RENEWED_AFTER_MS:
        Session.update(expires_at=clock.now_ms() + LIFETIME_MS).where(
            Session.token_hash == session.token_hash
        ).execute()
    return session


def end(token: str) -> bool:
    """Whether there was such a session: of several calls at once, one ends it."""
    return Session.delete().where(Session.token_hash == hashed(token)).execute() == 1
