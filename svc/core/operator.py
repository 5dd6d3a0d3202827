"""What every admin command shares: the data directory, `--json`, and errors in one sentence."""

import functools
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click
import peewee

from svc.core import database, running
from svc.core.errors import EngineError, Refusal
from svc.core.settings import SettingError, Settings, load


class CommandError(Exception):
    """A command that cannot be carried out; the message is one sentence for the operator."""


def admin(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command `--data-dir` and `--json`, and the database of that directory, which must be there."""
    return with_database(command, must_exist=True)


def admin_of_new(command: Callable[..., None]) -> Callable[..., None]:
    """The same for a command that may come before the first start."""
    return with_database(command, must_exist=False)


def with_database(command: Callable[..., None], must_exist: bool) -> Callable[..., None]:

    @click.option("--data-dir", type=click.Path(file_okay=False), help="Where everything is kept (./data).")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
    @click.pass_context
    @functools.wraps(command)
    def run(context: click.Context, data_dir: str | None, as_json: bool, **arguments: Any) -> None:
        try:
            context.obj = beside_server(load({"data_dir": data_dir}, make=not must_exist))
            context.meta["json"] = as_json
            database.connect(context.obj)
            database.migrate(context.obj)
            command(**arguments)
        except peewee.DatabaseError as error:
            raise click.ClickException(f"svc.db cannot be used: {error}.") from error
        except (CommandError, SettingError) as error:
            raise click.ClickException(str(error)) from error
        except (Refusal, EngineError) as error:
            raise click.ClickException(error.message) from error
        finally:
            database.release()

    return run


def beside_server(settings: Settings) -> Settings:
    """With the public address of the running server, which only it knows when its port came by a flag."""
    return replace(settings, site_root=settings.site_root or running.site_root(settings.data_dir) or "")


def show(value: Any, text: str) -> None:
    """Prints the value as JSON when `--json` was given, else the text."""
    as_json = click.get_current_context().meta["json"]
    click.echo(json.dumps(value, ensure_ascii=False) if as_json else text)
