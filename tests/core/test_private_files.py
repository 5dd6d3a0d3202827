"""What is kept about people is for the user who runs the service, however lax the process that made the file."""

import os

import pytest
from commands import Svc

from svc.core import database
from svc.core.settings import load
from svc.jobs import queue


@pytest.fixture
def lax():
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder):
    return {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir() if ".db" in path.name}


def test_the_databases_of_a_command_are_private(tmp_path, lax):
    Svc(tmp_path)("users", "create", "ada@example.org")
    settings = load({"data_dir": str(tmp_path)}, {})
    database.connect(settings)
    database.migrate(settings)
    queue.Queue(settings).wake()
    found = modes(tmp_path)
    database.release()
    assert {"svc.db", "svc.db-wal", "svc.db-shm", "queue.db"} <= found.keys() and set(found.values()) == {"0o600"}


def test_a_database_that_others_could_read_is_closed_to_them(tmp_path, lax):
    svc = Svc(tmp_path)
    svc("users", "create", "ada@example.org")
    (tmp_path / "svc.db").chmod(0o644)
    svc("users", "list")
    assert set(modes(tmp_path).values()) == {"0o600"}
