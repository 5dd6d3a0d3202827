"""The waitlist: join, leave, and the links in the mails that confirm it.

Where a mail server is set up, an address joins by a link mailed to it, and leaves by one too: nobody puts a stranger's
address on the list or takes it off. Without one both happen at once. No answer tells what the list holds: it is the
same for every address, and so is the work before it; the mails go out afterwards (`postman`).
"""

from math import ceil
from typing import Any

import peewee

from svc.accounts.models import User
from svc.accounts.secrets import hashed
from svc.core import clock
from svc.core.database import db
from svc.core.errors import Refusal
from svc.core.ratelimit import RateLimit
from svc.core.settings import Settings
from svc.inbox import postman
from svc.inbox.models import WaitlistEntry, WaitlistLink, WaitlistMail
from svc.jobs.owners import with_account

HOUR_SECONDS = 3600
DAY_SECONDS = 24 * HOUR_SECONDS
MAILS_A_DAY = 3  # to one address for one purpose, whoever asks
INTERESTS = {
    "pro": "The Pro plan",
    "lifetime": "The lifetime plan",
    "mac": "The Mac app",
    "cli": "The command-line tool",
}

visits, mails = RateLimit(HOUR_SECONDS), RateLimit(DAY_SECONDS)


def confirms_by_mail(settings: Settings) -> bool:
    return bool(settings.smtp_url)


def join(settings: Settings, body: dict[str, Any], visitor: str) -> None:
    """Puts an address on the list, or has it asked by mail. Raises 429. Who is on the list stays as they are."""
    count_visit(settings, visitor)
    if body.get("website"):
        return
    email, now = body["email"].lower(), clock.now_ms()
    by_mail = confirms_by_mail(settings)
    joined_at = None if by_mail else now
    entry = {
        "email": email,
        "interest": body["interest"],
        "path": body.get("path", ""),
        "ref": body.get("ref", ""),
        "created_at": now,
        "joined_at": joined_at,
    }
    known = (WaitlistEntry.email, WaitlistEntry.interest)
    stays = {WaitlistEntry.joined_at: peewee.fn.COALESCE(WaitlistEntry.joined_at, joined_at)}
    with db.atomic():
        WaitlistEntry.insert(entry).on_conflict(conflict_target=known, update=stays).execute()
        if by_mail:
            ask_by_mail(email, postman.JOIN)


def leave(settings: Settings, body: dict[str, Any], visitor: str) -> None:
    """Takes an address off the list, or has it asked by mail. Raises 429.

    What nobody has confirmed yet goes at once in any case: it is nobody's yet.
    """
    count_visit(settings, visitor)
    if body.get("website"):
        return
    email = body["email"].lower()
    with db.atomic():
        if confirms_by_mail(settings):
            WaitlistEntry.delete().where((WaitlistEntry.email == email) & WaitlistEntry.joined_at.is_null()).execute()
            ask_by_mail(email, postman.LEAVE)
        else:
            forget(email)


def count_visit(settings: Settings, visitor: str) -> None:
    if wait := visits.wait(visitor, settings.limits.service.waitlist_calls_per_hour):
        raise Refusal("rate_limited", "Too many tries.", retry_after=ceil(wait))


def ask_by_mail(email: str, purpose: str) -> None:
    """A mail is due, unless the address has had enough of them today; the caller does not learn which."""
    if mails.wait(f"{purpose} {email}", MAILS_A_DAY):
        return
    mail = {"email": email, "purpose": purpose, "due_at": clock.now_ms()}
    again = {WaitlistMail.tries: 0, WaitlistMail.due_at: mail["due_at"]}
    known = (WaitlistMail.email, WaitlistMail.purpose)
    WaitlistMail.insert(mail).on_conflict(conflict_target=known, update=again).execute()
    postman.wake()


def confirm_join(token: str) -> None:
    """Puts the address of a mailed link on the list; a second click changes nothing. Raises 422."""
    with db.atomic():
        link = good_link(token, postman.JOIN)
        # Not what was asked for after the mail was written: it does not tell of that.
        told = (WaitlistEntry.email == link.email) & (WaitlistEntry.created_at <= link.created_at)
        WaitlistEntry.update(joined_at=clock.now_ms()).where(told & WaitlistEntry.joined_at.is_null()).execute()
        if not WaitlistEntry.select().where(told).exists():
            raise bad_link()


def confirm_leave(token: str) -> None:
    """Takes the address of a mailed link off the list. Raises 422, once it was used too."""
    with db.atomic():
        forget(good_link(token, postman.LEAVE).email)


def good_link(token: str, purpose: str) -> WaitlistLink:
    link = WaitlistLink.find(hashed(token))
    if link is None or link.purpose != purpose or link.expires_at <= clock.now_ms():
        raise bad_link()
    return link


def bad_link() -> Refusal:
    return Refusal(
        "invalid_request",
        "This link is incomplete, was used already, or is older than 7 days.",
        status=422,
        field="token",
        hint="Ask for a new one on the waitlist's page.",
    )


@with_account
def forget_account(user: User) -> None:
    forget(user.email)


def forget(email: str) -> None:
    """Removes all that the list knows of an address."""
    with db.atomic():
        for model in (WaitlistEntry, WaitlistMail, WaitlistLink):
            model.delete().where(model.email == email).execute()
