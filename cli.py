"""The `svc` command: one command for every chore."""

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from svc import __version__
from svc.accounts.commands import keys_group, login_link, users_group
from svc.core import schema
from svc.core.settings import SettingError, Settings, load
from svc.engine.export import FORMATS
from svc.engine.request import ALIASES, MODES
from svc.inbox.commands import contact_group, waitlist_group
from svc.jobs.commands import delete_user, jobs_group, takedown_group
from svc.server.commands import cleanup

LANGUAGE = re.compile(schema.load("context-create")["properties"]["language"]["anyOf"][0]["pattern"])


def data_dir_option(command: Callable) -> Callable:
    return click.option("--data-dir", type=click.Path(file_okay=False), help="Where everything is kept (./data).")(
        command
    )


def writable(path: Path) -> bool:
    """Whether a file or folder may be made there: its nearest folder that exists lets us write."""
    folder = next(parent for parent in (path, *path.absolute().parents) if parent.exists())
    return os.access(folder, os.W_OK)


def settings_from(**flags: Any) -> Settings:
    try:
        return load(flags)
    except SettingError as error:
        raise click.ClickException(str(error)) from error


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="svc")
def main() -> None:
    """svc, the Video Context Service."""


@main.command()
@click.option("--host", help="Address to listen on (127.0.0.1).")
@click.option("--port", type=int, help="Port to listen on (8080); 0 picks a free one.")
@data_dir_option
def serve(**flags: Any) -> None:
    """Start the web server and its workers."""
    from svc.server.serve import serve as serve_forever

    sys.exit(serve_forever(settings_from(**flags)))


@main.command()
@data_dir_option
def worker(**flags: Any) -> None:
    """Start only the workers, on the same data directory as a server."""
    from svc.server.worker import work

    sys.exit(work(settings_from(**flags)))


@main.command()
@click.argument("source")
@click.option("--mode", type=click.Choice([*MODES, *ALIASES]), default="auto", show_default=True)
@click.option("--language", multiple=True, help="The language spoken, as a BCP-47 tag; may be given more than once.")
@click.option("--format", "formats", help=f"One or more of {','.join(FORMATS)} (md; json with --json).")
@click.option("--out", type=click.Path(path_type=Path), help="A file, or a folder when several formats are written.")
@click.option("--json", "as_json", is_flag=True, help="Print the events, one JSON object a line.")
@data_dir_option
def run(
    source: str,
    mode: str,
    language: tuple[str, ...],
    formats: str | None,
    out: Path | None,
    as_json: bool,
    data_dir: str | None,
) -> None:
    """Turn one link or file into a Context, without a server."""
    from svc.engine import command

    wanted = (formats or ("json" if as_json else "md")).split(",")
    if unknown := [name for name in wanted if name not in FORMATS]:
        raise click.BadParameter(f"{unknown[0]} is not one of {', '.join(FORMATS)}", param_hint="--format")
    if out and len(wanted) > 1 and out.suffix:
        raise click.BadParameter("several formats need a folder", param_hint="--out")
    if out and not writable(out):
        raise click.BadParameter(f"{out} cannot be written", param_hint="--out")
    for tag in language:
        if not LANGUAGE.fullmatch(tag):
            raise click.BadParameter(f"{tag} is not a BCP-47 language tag", param_hint="--language")
    settings = settings_from(data_dir=data_dir)
    sys.exit(command.run(settings, source, mode, language, wanted, out, as_json))


@main.command()
@data_dir_option
def openapi(**flags: Any) -> None:
    """Print the API's OpenAPI document."""
    from app import create_app
    from svc.core.openapi import document

    click.echo(json.dumps(document(create_app(settings_from(**flags))), ensure_ascii=False, indent=2))


users_group.add_command(delete_user)  # it erases jobs, of which accounts know nothing
for command in (
    users_group,
    keys_group,
    login_link,
    jobs_group,
    cleanup,
    takedown_group,
    contact_group,
    waitlist_group,
):
    main.add_command(command)

if __name__ == "__main__":
    main()
