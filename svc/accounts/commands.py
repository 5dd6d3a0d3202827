"""`svc users` and `svc keys`: what an operator does with accounts and their keys."""

import click

from svc.accounts import keys, users
from svc.core.operator import admin, show


@click.group("users")
def users_group() -> None:
    """Accounts."""


@users_group.command("create")
@click.argument("email")
@click.option("--name", help="The person's name.")
@click.option("--plan", type=click.Choice(users.PLANS), default="free", show_default=True)
@admin
def create_user(email: str, name: str | None, plan: str) -> None:
    """Make an account."""
    user = users.create(email, name, plan)
    show(users.user_json(user), f"{user.email} has an account now ({users.plan_of(user)}).")


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
    user = users.find(email)
    most = click.get_current_context().obj.limits.service.api_keys
    key, secret = keys.create(user, name, most, scopes, expires_in_days, via="admin")
    show(keys.key_json(key, secret), f"{secret}\n\nThis is shown only now. It belongs to {email} ({key.id}).")
