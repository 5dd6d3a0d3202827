"""Accounts: made, found, given a plan, deleted."""

import re
from typing import Any

import peewee

from svc.accounts import ledger
from svc.accounts.models import MailLink, User
from svc.core import clock
from svc.core.database import db
from svc.core.ids import make_id
from svc.core.limits import LIFETIME_MINUTES
from svc.core.operator import CommandError
from svc.core.prices import MICRO

EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
PLANS = ("free", "pro", "lifetime")
OWNER_PREFIX = "user:"


class AccountError(CommandError):
    """What cannot be done with an account, and why."""


def owner_of(user: User) -> str:
    """The name under which an account owns jobs, uploads and minutes."""
    return OWNER_PREFIX + user.id


def of_owner(owner: str) -> User | None:
    """The account of that name, unless the owner is anonymous or the account is gone."""
    return User.get_or_none(User.id == owner.removeprefix(OWNER_PREFIX)) if owner.startswith(OWNER_PREFIX) else None


def is_gone(owner: peewee.Field) -> peewee.Expression:
    """A condition on rows with an owner: it was an account that has been deleted."""
    account = User.select(User.id).where(User.id == peewee.fn.SUBSTR(owner, len(OWNER_PREFIX) + 1))
    return owner.startswith(OWNER_PREFIX) & ~peewee.fn.EXISTS(account)


def checked_email(email: str) -> str:
    """The address as it is kept. Raises AccountError for a malformed one."""
    email = email.strip().lower()
    if not EMAIL.fullmatch(email) or len(email) > 254:
        raise AccountError(f"{email} is not an e-mail address.")
    return email


def create(email: str, name: str | None = None, plan: str = "free") -> User:
    """A new account. Raises AccountError for an address that is malformed or taken."""
    email = checked_email(email)
    with db.atomic():
        if User.get_or_none(User.email == email):
            raise AccountError(f"{email} has an account already.")
        user = User.create(id=make_id("usr"), email=email, name=name, plan="free", created_at=clock.now_ms())
        set_plan(user, plan)
    return user


def find(email: str) -> User:
    user = User.get_or_none(User.email == email.strip().lower())
    if user is None:
        raise AccountError(f"There is no account for {email}.")
    return user


def set_plan(user: User, plan: str, until: int | None = None) -> None:
    """Gives the account a plan at once; the first time it is `lifetime`, its one-time minutes come with it."""
    if plan not in PLANS:
        raise AccountError(f"The plan must be one of {', '.join(PLANS)}.")
    with db.atomic():
        user.plan, user.plan_until = plan, until
        user.save()
        if plan == "lifetime":
            ledger.grant(owner_of(user), LIFETIME_MINUTES * MICRO, f"lifetime:{user.id}")


def delete(user: User) -> None:
    """Removes the account with its keys, sessions, device logins and mailed links: nobody can act for it any more.

    What it owned is gone for good only after `svc.jobs.owners.erase_owner`; `delete_account` there does both.
    """
    with db.atomic():
        MailLink.delete().where(MailLink.email == user.email).execute()
        ledger.forget(owner_of(user))
        user.delete_instance()  # the rest goes with it, by ON DELETE CASCADE


def plan_of(user: User) -> str:
    """The plan in force now."""
    if user.plan_until is not None and user.plan_until <= clock.now_ms():
        return "free"
    return user.plan


def user_json(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "email": user.email,
        "name": user.name,
        "plan": plan_of(user),
        "planUntil": user.plan_until,
        "createdAt": user.created_at,
    }
