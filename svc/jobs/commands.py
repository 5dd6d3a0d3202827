"""`svc takedown`: what an operator blocks after a takedown request."""

import click

from svc.core.operator import CommandError, admin, show
from svc.jobs import takedown
from svc.jobs.models import Takedown


@click.group("takedown")
def takedown_group() -> None:
    """Content that may not be processed or shown."""


@takedown_group.command("add")
@click.argument("name", metavar="LINK_OR_CONTENT_KEY")
@admin
def add(name: str) -> None:
    """Block a link or a file's content key, and erase its stored results."""
    takedown.add(click.get_current_context().obj, name)
    show({"name": takedown.canonical(name)}, f"Blocked {takedown.canonical(name)}.")


@takedown_group.command("list")
@admin
def list_blocked() -> None:
    """List what is blocked."""
    rows = list(Takedown.select().order_by(Takedown.name))
    records = [{"name": row.name, "createdAt": row.created_at} for row in rows]
    show(records, "\n".join(row.name for row in rows) or "Nothing is blocked.")


@takedown_group.command("remove")
@click.argument("name", metavar="LINK_OR_CONTENT_KEY")
@admin
def remove(name: str) -> None:
    """Allow it again. What was erased stays erased."""
    if not takedown.remove(name):
        raise CommandError(f"{takedown.canonical(name)} is not blocked.")
    show({"name": takedown.canonical(name)}, f"Allowed {takedown.canonical(name)} again.")
