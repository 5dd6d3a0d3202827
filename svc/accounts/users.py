"""Accounts: made, found, given a plan, deleted."""

import re
from typing import Any

from svc.accounts import ledger
from svc.accounts.models import User
from svc.core import clock
from svc.core.database import db
from svc.core.ids import make_id
from svc.core.limits import LIFETIME_MINUTES
from svc.core.operator import CommandError
from svc.core.prices import MICRO

EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
PLANS = ("free", "pro", "lifetime")


class AccountError(CommandError):
    """What cannot be done with an account, and why."""


def owner_of(user: User) -> str:
    """The name under which an account owns jobs, uploads and minutes."""
    return f"user:{user.id}"


def create(email: str, name: str | None = None, plan: str = "free") -> User:
    """A new account. Raises AccountError for an address that is malformed or taken."""
    email = email.strip().lower()
    if not EMAIL.fullmatch(email) or len(email) > 254:
        raise AccountError(f"{email} is not an e-mail address.")
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
