"""`svc jobs`, `svc takedown`, `svc users delete`: what an operator does with jobs and stored things."""

import json
from typing import Any

import click

from svc.accounts import users
from svc.core import clock
from svc.core.operator import CommandError, admin, show
from svc.core.printing import age, moment, record, shortened, table
from svc.core.settings import Settings
from svc.jobs import cancel, listing, owners, restart, takedown, view
from svc.jobs.models import ENDED, OPEN, Job, Takedown
from svc.jobs.results import result_path

API = "/api"
TITLE_CHARACTERS = 60


def settings() -> Settings:
    return click.get_current_context().obj


def find(job_id: str) -> Job:
    job = Job.get_or_none(Job.id == job_id)
    if job is None:
        raise CommandError(f"There is no job {job_id}.")
    return job


def owner_name(job: Job) -> str:
    """The account's address, or which kind of owner it is."""
    if not job.owner.startswith(users.OWNER_PREFIX):
        return "anonymous"
    user = users.of_owner(job.owner)
    return user.email if user else "deleted account"


@click.group("jobs")
def jobs_group() -> None:
    """Jobs of all callers."""


@jobs_group.command("list")
@click.option("--status", type=click.Choice([*OPEN, *ENDED]), help="Only jobs in this state.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="At most so many.")
@admin
def list_jobs(status: str | None, limit: int) -> None:
    """List the jobs that are open or have not expired, newest first."""
    wanted = Job.status.in_(OPEN) | (Job.expires_at > clock.now_ms())
    if status:
        wanted &= Job.status == status
    found = [(job, owner_name(job)) for job in Job.select().where(wanted).order_by(Job.created_at.desc()).limit(limit)]
    heads = ("ID", "STATUS", "MODE", "OWNER", "AGE", "TITLE")
    records = [{**listing.item(job), "owner": owner} for job, owner in found]
    show(records, table(heads, [line(job, owner) for job, owner in found]) if found else "There are no jobs.")


def line(job: Job, owner: str) -> tuple[str, ...]:
    return job.id, job.status, job.mode, owner, age(job.created_at), shortened(job.title or "", TITLE_CHARACTERS)


@jobs_group.command("show")
@click.argument("job_id")
@admin
def show_job(job_id: str) -> None:
    """Show one job; with --json its result too."""
    job = find(job_id)
    path = result_path(settings(), job.id)
    result = json.loads(path.read_text("utf-8")) if job.status == "succeeded" and path.exists() else None
    value = {**view.job_json(job, API), "result": result, "owner": owner_name(job)}
    show(value, record(described(value, job)))


def described(value: dict[str, Any], job: Job) -> dict[str, str]:
    error, charged = job.error, value["minutes_charged"]
    return {
        "id": job.id,
        "status": job.status,
        "mode": job.mode,
        "source": job.facts["source"].get("fileName") or value["input"].get("url") or job.location,
        "title": job.title or "-",
        "owner": value["owner"],
        "attempt": str(job.attempt),
        "progress": f"{job.stage or '-'} {(job.progress or 0):.0%}",
        "quoted": f"{job.estimate['minutes']:g} minutes",
        "charged": "-" if charged is None else f"{charged:g} minutes",
        "created": moment(job.created_at),
        "started": moment(job.started_at),
        "finished": moment(job.finished_at),
        "expires": moment(job.expires_at),
        **({"error": f"{error['code']}: {error['message']}"} if error else {}),
    }


@jobs_group.command("cancel")
@click.argument("job_id")
@admin
def cancel_job(job_id: str) -> None:
    """Cancel a waiting job, or stop a running one."""
    job = find(job_id)
    if job.status in ENDED:
        raise CommandError(f"This job has ended already: it is {job.status}.")
    job = cancel.stop(settings(), job)
    texts = {"canceled": "is canceled.", "running": "was asked to stop and is still winding down."}
    text = texts.get(job.status, f"had ended before: it is {job.status}.")
    show(view.job_json(job, API), f"{job.id} {text}")


@jobs_group.command("requeue")
@click.argument("job_id")
@admin
def requeue_job(job_id: str) -> None:
    """Queue a failed or canceled job again; its owner pays as for a new one."""
    job = restart.restart(settings(), find(job_id))
    show(view.job_json(job, API), f"{job.id} is queued again.")


@click.command("delete")
@click.argument("email")
@admin
def delete_user(email: str) -> None:
    """Delete an account and everything it owns: jobs, results, uploads, keys, minutes."""
    user = users.find(email)
    gone = owners.delete_account(settings(), user)
    rest = "" if gone else " A job of it is still winding down and goes with the next cleanup."
    show({"id": user.id, "email": user.email, "ok": True}, f"{user.email} and everything it owned is deleted.{rest}")


@click.group("takedown")
def takedown_group() -> None:
    """Content that may not be processed or shown."""


@takedown_group.command("add")
@click.argument("name", metavar="LINK_OR_CONTENT_KEY")
@admin
def add(name: str) -> None:
    """Block a link or a file's content key, and erase its stored results."""
    row = takedown.add(settings(), name)
    show(takedown_json(row), f"Blocked {row.name}.")


def takedown_json(row: Takedown) -> dict[str, Any]:
    return {"name": row.name, "created_at": row.created_at}


@takedown_group.command("list")
@admin
def list_blocked() -> None:
    """List what is blocked."""
    rows = list(Takedown.select().order_by(Takedown.name))
    show([takedown_json(row) for row in rows], "\n".join(row.name for row in rows) or "Nothing is blocked.")


@takedown_group.command("remove")
@click.argument("name", metavar="LINK_OR_CONTENT_KEY")
@admin
def remove(name: str) -> None:
    """Allow it again. What was erased stays erased."""
    if not takedown.remove(name):
        raise CommandError(f"{takedown.canonical(name)} is not blocked.")
    show({"name": takedown.canonical(name)}, f"Allowed {takedown.canonical(name)} again.")
