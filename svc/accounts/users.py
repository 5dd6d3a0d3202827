"""Accounts: made, found, given a plan, deleted."""

from typing import Any

import peewee

from svc.accounts import ledger
from svc.accounts.models import MailLink, User
from svc.core import clock, schema
from svc.core.database import db
from svc.core.ids import make_id
from svc.core.limits import LIFETIME_MINUTES
from svc.core.operator import CommandError
from svc.core.prices import MICRO

NAME_CHARACTERS = 100
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
    try:
        schema.check("magic-link", {"email": email})
    except schema.Invalid as error:
        raise AccountError(f"{email!r} is not an e-mail address.") from error
    return email


def create(email: str, name: str | None = None, plan: str = "free") -> User:
    """A new account. Raises AccountError for an address that is malformed or taken."""
    email = checked_email(email)
    if name and (len(name) > NAME_CHARACTERS or not name.isprintable()):
        raise AccountError(f"A name has at most {NAME_CHARACTERS} printable characters.")
    with db.atomic():
        if User.get_or_none(User.email == email):
            raise AccountError(f"{email} has an account already.")
        user = User.create(id=make_id("usr"), email=email, name=name, created_at=clock.now_ms())
        set_plan(user, plan)
    return user


def find(email: str) -> User:
    user = User.get_or_none(User.email == email.strip().lower())
    if user is None:
        raise AccountError(f"There is no account for {email}.")
    return user


def set_plan(user: User, plan: str, until: int | None = None) -> None:
    """Gives the account a plan at once. `lifetime` stays below a `pro` that ends, and brings its minutes once.

    `until` is when `pro` ends, in epoch milliseconds; `free` takes both away.
    """
    if plan not in PLANS:
        raise AccountError(f"The plan must be one of {', '.join(PLANS)}.")
    with db.atomic():
        user.pro, user.pro_until = plan == "pro", until
        user.lifetime = plan == "lifetime" or (plan == "pro" and user.lifetime)
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
    """The plan in force now: pro outranks lifetime."""
    if user.pro and (user.pro_until is None or user.pro_until > clock.now_ms()):
        return "pro"
    return "lifetime" if user.lifetime else "free"


def plan_until(user: User) -> int | None:
    """When the plan in force ends; None for one that stays."""
    return user.pro_until if plan_of(user) == "pro" else None


def user_json(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "email": user.email,
        "name": user.name,
        "plan": plan_of(user),
        "planUntil": plan_until(user),
        "createdAt": user.created_at,
    }
