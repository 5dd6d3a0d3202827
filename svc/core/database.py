"""The database: SQLite in WAL mode, one connection a thread, every transaction taken with BEGIN IMMEDIATE."""

import fcntl
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Self

import peewee
from playhouse import migrations
from playhouse.pool import PooledSqliteDatabase

from svc.core.settings import Settings

MIGRATIONS = Path(__file__).parent / "migrations"

PRIVATE = 0o600
SIDE_FILES = ("-wal", "-shm", "-journal")  # SQLite's own, beside a database

MAX_CONNECTIONS = 100  # more than there are threads for plain requests; a thousand streams take turns
STALE_SECONDS = 60  # so that a rush leaves no crowd of idle connections
CACHE_KB = 256  # a connection; the system's page cache serves them all

log = logging.getLogger(__name__)

db = peewee.DatabaseProxy()


class JSONField(peewee.TextField):
    """A JSON value kept as text."""

    def db_value(self, value: Any) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def python_value(self, value: str | None) -> Any:
        return None if value is None else json.loads(value)


class Model(peewee.Model):
    class Meta:
        database = db
        legacy_table_names = False

    @classmethod
    def find(cls, key: str) -> Self | None:
        """The row with this primary key, or None. `get_or_none`, which writes its SQL anew, takes ten times as long."""
        row = db.execute_sql(row_by_key(cls), (key,)).fetchone()
        if row is None:
            return None
        fields = cls._meta.sorted_fields
        return cls(**{field.name: field.python_value(value) for field, value in zip(fields, row, strict=True)})


@cache
def row_by_key(model: type[peewee.Model]) -> str:
    return model.select().where(model._meta.primary_key == "").sql()[0]


def connect(settings: Settings) -> peewee.Database:
    """Points the models at the settings' database; threads borrow connections from a pool."""
    path = settings.data_dir / "svc.db"
    keep_private(path)
    database = PooledSqliteDatabase(
        str(path),
        max_connections=MAX_CONNECTIONS,
        stale_timeout=STALE_SECONDS,
        check_same_thread=False,
        lock_type="IMMEDIATE",
        timeout=10,
        pragmas={"journal_mode": "wal", "synchronous": "normal", "foreign_keys": 1, "cache_size": -CACHE_KB},
    )
    db.initialize(database)
    return database


def keep_private(path: Path) -> None:
    """Makes a database's file its user's alone, before SQLite makes it for everybody and the files beside it alike.

    Where that is not allowed, neither is the database, and SQLite says so.
    """
    with suppress(PermissionError):
        path.touch(PRIVATE)
        for file in (path, *(path.with_name(path.name + end) for end in SIDE_FILES)):
            with suppress(FileNotFoundError):
                file.chmod(PRIVATE)


def migrate(settings: Settings) -> None:
    """Brings the schema up to date, one process at a time."""
    with (settings.data_dir / "migrate.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        migrations.run(db.obj, str(MIGRATIONS))


def scrub() -> None:
    """Leaves nothing of deleted rows in the database's files. While others are busy with it, the next time does."""
    try:
        db.execute_sql("VACUUM")
        db.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    except peewee.OperationalError as error:
        log.warning("the database was not scrubbed: %s", error)


@contextmanager
def lent() -> Iterator[None]:
    """Gives this thread's connection to others while it waits for something else."""
    release()
    try:
        yield
    finally:
        db.connect(reuse_if_open=True)


def release() -> None:
    """Gives this thread's connection back to the pool, if it has one."""
    if db.obj is not None and not db.is_closed():
        db.close()
