"""Sessions: revocable tokens, sent as a bearer or a cookie, stored hashed, good for 30 days after their last use."""

import secrets as random

import peewee

from svc.accounts.models import Session, User
from svc.accounts.secrets import hashed
from svc.core import clock

LIFETIME_MS = 30 * 24 * 3600 * 1000
# A session's end moves on at most this often: not a write for every request.
RENEWED_AFTER_MS = 5 * 60 * 1000
NAME_LENGTH = 16


def start(user: User, label: str | None = None) -> str:
    """A new session's token. `label` tells its owner where it was begun."""
    token, now = random.token_urlsafe(32), clock.now_ms()
    Session.create(token_hash=hashed(token), user=user, label=label, created_at=now, expires_at=now + LIFETIME_MS)
    return token


def find(token: str) -> Session | None:
    """The session of a token, with its user, unless it has ended."""
    wanted = (Session.token_hash == hashed(token)) & is_good()
    return Session.select(Session, User).join(User).where(wanted).first()


def move_end(session: Session) -> bool:
    """Notes that a session is used: its end moves on, at most every few minutes. Whether it did."""
    now = clock.now_ms()
    if last_seen(session) >= now - RENEWED_AFTER_MS:
        return False
    same = Session.token_hash == session.token_hash
    return Session.update(expires_at=now + LIFETIME_MS).where(same).execute() == 1


def of(user: User) -> list[Session]:
    """The account's sessions, the one used last in front."""
    return list(Session.select().where((Session.user == user) & is_good()).order_by(Session.expires_at.desc()))


def is_good() -> peewee.Expression:
    return Session.expires_at > clock.now_ms()


def last_seen(session: Session) -> int:
    """To some minutes: every use moves the end on."""
    return session.expires_at - LIFETIME_MS


def name_of(session: Session) -> str:
    """What tells a session from the owner's others. It is no way in: the token cannot be had from its hash."""
    return session.token_hash[:NAME_LENGTH]


def end(token: str) -> bool:
    """Whether there was such a session: of several calls at once, one ends it."""
    return Session.delete().where(Session.token_hash == hashed(token)).execute() == 1


def end_named(user: User, name: str) -> None:
    """Ends the account's session of this name, if there still is one."""
    named = peewee.fn.SUBSTR(Session.token_hash, 1, NAME_LENGTH) == name
    Session.delete().where((Session.user == user) & named).execute()


def end_others(session: Session) -> None:
    """Ends every session of the account but this one."""
    Session.delete().where((Session.user == session.user) & (Session.token_hash != session.token_hash)).execute()
