"""`svc contact` and `svc waitlist`: what an operator does with messages and the list."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import click

from svc.core import clock
from svc.core.operator import CommandError, admin, show
from svc.core.printing import age, day, moment, printable, record, shortened, table
from svc.inbox.contact import TOPICS
from svc.inbox.models import ContactMessage, WaitlistEntry
from svc.inbox.waitlist import INTERESTS

BEGINNING_CHARACTERS = 60
COLUMNS = ("email", "interest", "status", "created_at", "joined_at", "path", "ref")
FORMULA = re.compile(r"\s*[=+\-@]|[\t\r\n]")  # what a spreadsheet takes for the beginning of one


def find(message_id: str) -> ContactMessage:
    message = ContactMessage.find(message_id)
    if message is None:
        raise CommandError(f"There is no message {message_id}.")
    return message


def message_json(message: ContactMessage) -> dict[str, Any]:
    return {
        "id": message.id,
        "topic": message.topic,
        "email": message.email,
        "message": message.message,
        "created_at": message.created_at,
        "done_at": message.done_at,
    }


@click.group("contact")
def contact_group() -> None:
    """Messages of the contact form."""


@contact_group.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those that are done.")
@click.option("--topic", type=click.Choice(list(TOPICS)), help="Only messages about this.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="At most so many.")
@admin
def list_messages(everything: bool, topic: str | None, limit: int) -> None:
    """List the messages that are not done, newest first."""
    wanted = ContactMessage.select().order_by(ContactMessage.created_at.desc()).limit(limit)
    if not everything:
        wanted = wanted.where(ContactMessage.done_at.is_null())
    if topic:
        wanted = wanted.where(ContactMessage.topic == topic)
    found = list(wanted)
    heads = ("ID", "TOPIC", "FROM", "AGE", "DONE", "MESSAGE")
    text = table(heads, map(message_line, found)) if found else "There are no messages."
    show([message_json(message) for message in found], text)


def message_line(message: ContactMessage) -> tuple[str, ...]:
    beginning = shortened(" ".join(message.message.split()), BEGINNING_CHARACTERS)
    return message.id, message.topic, message.email, age(message.created_at), day(message.done_at), beginning


@contact_group.command("show")
@click.argument("message_id")
@admin
def show_message(message_id: str) -> None:
    """Show one message in full."""
    message = find(message_id)
    facts = {
        "id": message.id,
        "topic": message.topic,
        "from": message.email,
        "sent": moment(message.created_at),
        "done": moment(message.done_at),
    }
    lines = "\n".join(map(printable, message.message.splitlines()))
    show(message_json(message), f"{record(facts)}\n\n{lines}")


@contact_group.command("done")
@click.argument("message_id")
@admin
def done(message_id: str) -> None:
    """Mark a message as dealt with; 30 days later it is deleted."""
    message = find(message_id)
    if message.done_at is not None:
        raise CommandError(f"{message.id} is done already, since {day(message.done_at)}.")
    message.done_at = clock.now_ms()
    message.save()
    show(message_json(message), f"{message.id} is done.")


@click.group("waitlist")
def waitlist_group() -> None:
    """The waitlist."""


def entries(interest: str | None) -> list[WaitlistEntry]:
    """The list, oldest first."""
    wanted = WaitlistEntry.select().order_by(WaitlistEntry.created_at, WaitlistEntry.id)
    return list(wanted.where(WaitlistEntry.interest == interest) if interest else wanted)


def entry_json(entry: WaitlistEntry) -> dict[str, Any]:
    return {
        "email": entry.email,
        "interest": entry.interest,
        "status": "unconfirmed" if entry.joined_at is None else "joined",
        "created_at": entry.created_at,
        "joined_at": entry.joined_at,
        "path": entry.path,
        "ref": entry.ref,
    }


@waitlist_group.command("list")
@click.option("--interest", type=click.Choice(list(INTERESTS)), help="Only who waits for this.")
@admin
def list_entries(interest: str | None) -> None:
    """List who waits, oldest first, with those who have not confirmed their address yet."""
    records = [entry_json(entry) for entry in entries(interest)]
    heads = ("EMAIL", "INTEREST", "STATUS", "SINCE", "PATH", "REF")
    show(records, table(heads, map(entry_line, records)) if records else "Nobody is on the waitlist.")


def entry_line(entry: dict[str, Any]) -> tuple[str, ...]:
    since = day(entry["joined_at"] or entry["created_at"])
    return entry["email"], entry["interest"], entry["status"], since, entry["path"], entry["ref"]


@waitlist_group.command("export")
@click.option("--interest", type=click.Choice(list(INTERESTS)), help="Only who waits for this.")
@click.option("--all", "everything", is_flag=True, help="Also who has not confirmed the address yet.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file to write instead of printing.")
@admin
def export(interest: str | None, everything: bool, out: Path | None) -> None:
    """Print the list as CSV, oldest first."""
    records = [entry_json(entry) for entry in entries(interest) if everything or entry.joined_at is not None]
    text = as_csv(records)
    if out is None:
        return show(records, text.rstrip("\n"))
    try:
        out.write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}.") from error
    return show({"path": str(out), "count": len(records)}, f"{len(records)} addresses are in {out}.")


def as_csv(records: list[dict[str, Any]]) -> str:
    """A line an entry, under the names of the columns; times are ISO 8601 in UTC."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in records:
        writer.writerow([cell(name, entry[name]) for name in COLUMNS])
    return file.getvalue()


def cell(name: str, value: Any) -> str:
    """A value as text that no spreadsheet runs: what looks like a formula gets an apostrophe before it."""
    if name.endswith("_at"):
        return "" if value is None else clock.iso(value)
    return f"'{value}" if FORMULA.match(value) else value
