"""What the service is measured against: a bare Flask application on Waitress, and bare Huey.

Both are as small as they can be, on SQLite with the same durability: write-ahead log, synchronous=normal.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import waitress
from flask import Flask, Response, request
from huey import Huey
from huey.consumer import Consumer
from huey.storage import SqliteStorage

THREADS = 32


def make_app(body: bytes, database: str) -> Flask:
    """`GET /body` sends the bytes; `POST /insert` stores what it is sent in a row of its own."""
    app, local = Flask(__name__), threading.local()

    def connection() -> sqlite3.Connection:
        if not hasattr(local, "connection"):
            local.connection = connect(database)
        return local.connection

    connect(database).execute("create table if not exists bodies (id integer primary key, body blob)")

    @app.get("/body")
    def send() -> Response:
        return Response(body, mimetype="application/json")

    @app.post("/insert")
    def insert() -> dict[str, int | None]:
        row = connection().execute("insert into bodies (body) values (?)", (request.get_data(),))
        return {"id": row.lastrowid}

    return app


def connect(database: str) -> sqlite3.Connection:
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=normal")
    return connection


def serve(port: Any, body: bytes, database: str) -> None:
    server = waitress.create_server(make_app(body, database), host="127.0.0.1", port=0, threads=THREADS)
    port.send(server.effective_port)
    server.run()


@contextmanager
def bare_flask(body: bytes, database: Path) -> Iterator[int]:
    """The port of a bare application in a process of its own."""
    process_kind = get_context("spawn")
    ours, theirs = process_kind.Pipe()
    process = process_kind.Process(target=serve, args=(theirs, body, str(database)), daemon=True)
    process.start()
    yield ours.recv()
    process.terminate()
    process.join()


class NormalStorage(SqliteStorage):
    def _create_connection(self) -> sqlite3.Connection:
        connection = super()._create_connection()
        connection.execute("pragma synchronous=normal")
        return connection


class QuietConsumer(Consumer):
    """A consumer that leaves the process's signals alone."""

    def _set_signal_handlers(self) -> None:
        pass


def huey_tasks_per_second(folder: Path, count: int, workers: int) -> float:
    """Empty tasks from the first enqueued to the last done, with a consumer that is running already."""
    huey = Huey("bare", storage_class=NormalStorage, results=False, filename=str(folder / "huey.db"))
    done = threading.Semaphore(0)
    task = huey.task()(done.release)
    consumer = QuietConsumer(huey, workers=workers, periodic=False, initial_delay=0.01, max_delay=0.01, backoff=1)
    consumer.start()
    began = time.perf_counter()
    for _ in range(count):
        task()
    for _ in range(count):
        done.acquire()
    seconds = time.perf_counter() - began
    consumer.stop(graceful=True)
    return count / seconds
