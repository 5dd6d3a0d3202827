"""`svc users`, `svc keys` and `svc login-link`: what an operator does with accounts and their keys."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import click

from svc.accounts import keys, ledger, mail_link, profile, users
from svc.accounts.caller import account_caller
from svc.accounts.models import ApiKey, User
from svc.accounts.users import AccountError
from svc.core import clock, prices, running, schema
from svc.core.ids import make_id
from svc.core.operator import admin, admin_of_new, show
from svc.core.printing import day, record, table
from svc.core.settings import Settings

DAY_MS = 24 * 3600 * 1000
MOST = 1_000_000_000  # minutes or captions at once


def settings() -> Settings:
    return click.get_current_context().obj


class Minutes(click.ParamType):
    """A positive number of minutes, exact to a millionth."""

    name = "minutes"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Decimal:
        try:
            minutes = Decimal(value)
            exact = minutes * prices.MICRO
        except ArithmeticError:
            self.fail(f"{value} is not a number.", param, context)
        if not (minutes.is_finite() and 0 < minutes <= MOST and exact == int(exact)):
            self.fail(f"{value} must be above 0, at most {MOST}, with at most 6 decimals.", param, context)
        return minutes


@click.group("users")
def users_group() -> None:
    """Accounts."""


@users_group.command("create")
@click.argument("email")
@click.option("--name", help="The person's name.")
@click.option("--plan", type=click.Choice(users.PLANS), default="free", show_default=True)
@admin_of_new
def create_user(email: str, name: str | None, plan: str) -> None:
    """Make an account."""
    user = users.create(email, name, plan)
    show(users.user_json(user), f"{user.email} has an account now ({users.plan_of(user)}).")


@users_group.command("list")
@admin
def list_users() -> None:
    """List the accounts, by e-mail address."""
    found = list(User.select().order_by(User.email))
    lines = [(u.email, users.plan_of(u), day(users.plan_until(u)), day(u.created_at), u.name or "") for u in found]
    heads = ("EMAIL", "PLAN", "UNTIL", "CREATED", "NAME")
    show([users.user_json(user) for user in found], table(heads, lines) if found else "There are no accounts.")


@users_group.command("show")
@click.argument("email")
@admin
def show_user(email: str) -> None:
    """Show one account: its plan, what it may use and what it has used."""
    user = users.find(email)
    caller = account_caller(user, settings())
    account = {
        **users.user_json(user),
        "entitlement": profile.entitlement(caller, user),
        "limits": profile.limits(settings(), caller, user),
        "usage": profile.usage(caller),
    }
    show(account, record(described(account)))


def described(account: dict[str, Any]) -> dict[str, str]:
    usage, entitlement, api_keys = account["usage"], account["entitlement"], account["limits"]["apiKeys"]
    return {
        "email": account["email"],
        "name": account["name"] or "-",
        "id": account["id"],
        "plan": account["plan"],
        "until": day(account["planUntil"]),
        "created": day(account["createdAt"]),
        "minutes": f"{usage['minutesUsed']:g} used in {usage['period']}, {usage['minutesRemaining']:g} left",
        "bought": f"{entitlement['minutesTopup']:g} minutes, {entitlement['captionCredits']} captions left",
        "keys": f"{api_keys['active']} of {api_keys['max']}",
    }


@users_group.command("grant")
@click.argument("email")
@click.option("--minutes", type=Minutes(), metavar="N", help="Minutes that never expire, such as 60 or 0.5.")
@click.option("--captions", type=click.IntRange(1, MOST), metavar="N", help="Caption credits.")
@admin
def grant(email: str, minutes: Decimal | None, captions: int | None) -> None:
    """Give an account minutes or caption credits, beside those of its plan."""
    if (minutes is None) == (captions is None):
        raise click.UsageError("Give either --minutes or --captions.")
    user = users.find(email)
    owner, cause = users.owner_of(user), make_id("grant")
    if minutes is not None:
        ledger.grant(owner, int(minutes * prices.MICRO), cause)
    else:
        ledger.grant(owner, captions or 0, cause, ledger.CAPTION_CREDITS)
    entitlement = profile.entitlement(account_caller(user, settings()), user)
    bought = {name: entitlement[name] for name in ("minutesTopup", "captionCredits")}
    text = f"{user.email} now has {bought['minutesTopup']:g} extra minutes and {bought['captionCredits']} captions."
    show({"email": user.email, **bought}, text)


@users_group.command("set-plan")
@click.argument("email")
@click.argument("plan", type=click.Choice(users.PLANS))
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="The plan's last day (UTC).")
@admin
def set_plan(email: str, plan: str, until: datetime | None) -> None:
    """Give an account a plan; after its last day it is free again."""
    if until and plan != "pro":
        raise click.UsageError(f"The plan {plan} has no end.")
    user = users.find(email)
    users.set_plan(user, plan, end_of_day(until) if until else None)
    last = f" until the end of {day(user.pro_until)} (UTC)" if until else ""
    show(users.user_json(user), f"{user.email} has the plan {plan}{last}.")


def end_of_day(date: datetime) -> int:
    """The last millisecond of a day in UTC. Raises AccountError when it is over."""
    end = clock.to_ms(date.replace(tzinfo=UTC)) + DAY_MS - 1
    if end <= clock.now_ms():
        raise AccountError(f"{date:%Y-%m-%d} is over already.")
    return end


@click.group("keys")
def keys_group() -> None:
    """API keys."""


@keys_group.command("create")
@click.argument("email")
@click.option("--name", default="key", show_default=True, help="What the key is for.")
@click.option("--scopes", type=click.Choice(keys.SCOPES), default="all", show_default=True)
@click.option("--expires-in-days", type=click.IntRange(1, 3650), help="When it stops working.")
@admin
def create_key(email: str, name: str, scopes: str, expires_in_days: int | None) -> None:
    """Make a key and print its secret, once."""
    check_key_name(name)
    user = users.find(email)
    most = settings().limits.service.api_keys
    key, secret = keys.create(user, name, most, scopes, expires_in_days, via="admin")
    click.echo(f"This is shown only now. It belongs to {email} ({key.id}).", err=True)
    show(keys.key_json(key, secret), secret)


def check_key_name(name: str) -> None:
    """Raises AccountError for a name that the API would not take."""
    try:
        schema.check("key-create", {"name": name})
    except schema.Invalid as error:
        raise AccountError("A key's name has 1 to 100 printable characters, not only blanks.") from error


@keys_group.command("list")
@click.argument("email", required=False)
@admin
def list_keys(email: str | None) -> None:
    """List the keys that work, of one account or of all, newest first."""
    wanted = keys.is_active() & (ApiKey.user == users.find(email)) if email else keys.is_active()
    found = list(ApiKey.select(ApiKey, User).join(User).where(wanted).order_by(ApiKey.created_at.desc()))
    heads = ("ID", "EMAIL", "KEY", "SCOPES", "CREATED", "EXPIRES", "USED", "NAME")
    records = [{**keys.key_json(key), "email": key.user.email} for key in found]
    show(records, table(heads, map(key_line, found)) if found else "There are no keys.")


def key_line(key: ApiKey) -> tuple[str, ...]:
    times = (day(key.created_at), day(key.expires_at), day(key.last_used_at))
    return key.id, key.user.email, f"{key.prefix}…{key.last4}", key.scopes, *times, key.name


@keys_group.command("revoke")
@click.argument("key_id")
@admin
def revoke_key(key_id: str) -> None:
    """End a key, at once. Its id is in `svc keys list`."""
    key = ApiKey.get_or_none((ApiKey.id == key_id) & keys.is_active())
    if key is None:
        raise AccountError("No working key has this id.")
    keys.revoke(key)
    show({"id": key.id, "ok": True}, f"{key.id} does not work any more.")


@click.command("login-link")
@click.argument("email")
@click.option("--callback", metavar="PATH", help="The page to go to after the sign-in (/dashboard).")
@admin_of_new
def login_link(email: str, callback: str | None) -> None:
    """Print a sign-in link, good once and for 15 minutes, for a machine without mail."""
    email = users.checked_email(email)
    url = mail_link.make(settings(), email, callback)
    if running.site_root(settings().data_dir) is None:
        click.echo(f"No server runs on this data now; the link is for one at {settings().root}.", err=True)
    show({"email": email, "url": url, "expiresIn": mail_link.GOOD_MS // 1000}, url)
