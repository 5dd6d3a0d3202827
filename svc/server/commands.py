"""`svc cleanup`: what an operator does with the whole service."""

import click

from svc.core.operator import admin, show
from svc.core.printing import size, table
from svc.server.sweep import sweep


@click.command("cleanup")
@click.option("--dry-run", is_flag=True, help="Only say what would be deleted.")
@admin
def cleanup(dry_run: bool) -> None:
    """Delete what has expired, as the server does every few minutes."""
    report = sweep(click.get_current_context().obj, dry_run)
    total = {name: sum(sums[name] for sums in report.values()) for name in ("count", "bytes")}
    rows = [(kind, str(sums["count"]), size(sums["bytes"])) for kind, sums in report.items()]
    rows.append(("would be deleted" if dry_run else "deleted", str(total["count"]), size(total["bytes"])))
    text = table(("WHAT", "COUNT", "DISK"), rows) if report else "Nothing has expired."
    show({"dry_run": dry_run, **total, "kinds": report}, text)
