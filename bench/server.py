"""The web server and the wake-ups, measured beside stock Waitress: `python bench/server.py`.

Both servers run one after the other in one run on one machine, so read the ratios, not the numbers.
"""

import http.client
import multiprocessing
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import waitress
from flask import Flask, request

sys.path.insert(0, str(Path(__file__).parents[1]))

from svc.core.body import body_limit  # noqa: E402
from svc.core.limits import MB, ServiceLimits  # noqa: E402
from svc.core.settings import Settings  # noqa: E402
from svc.jobs.bell import Bell  # noqa: E402
from svc.jobs.queue import Queue  # noqa: E402
from svc.jobs.watch import Watcher  # noqa: E402
from svc.server.http import Server, body_rules  # noqa: E402
from svc.server.intake import Intake  # noqa: E402
from svc.server.serve import listen  # noqa: E402

THREADS = 32
CLIENTS = 8
SECONDS = 4.0
UPLOAD_BYTES = 100 * MB
REFUSED_BYTES = 150 * MB
REFUSALS = 10
WAKES = 200


def make_app() -> Flask:
    app = Flask(__name__)

    @app.get("/hello")
    def hello() -> dict[str, str]:
        return {"hello": "world"}

    @app.put("/upload")
    @body_limit("upload_bytes", needs_length=True)
    def upload() -> dict[str, int]:
        return {"bytes": sum(map(len, iter(lambda: request.stream.read(MB), b"")))}

    return app


def run_ours(port: Any) -> None:
    listener, app = listen("127.0.0.1", 0), make_app()
    port.send(listener.getsockname()[1])
    intake = Intake(0, lambda peer, headers: (peer, CLIENTS))
    Server(app, listener, body_rules(app, ServiceLimits()), intake, threads=THREADS).run()


def run_stock(port: Any) -> None:
    listener = listen("127.0.0.1", 0)
    port.send(listener.getsockname()[1])
    waitress.serve(make_app(), sockets=[listener], threads=THREADS, max_request_body_size=UPLOAD_BYTES + 1, _quiet=True)


def requests_per_second(port: int) -> float:
    """Kept-alive connections, each asking again as soon as it is answered."""
    done, end = [0] * CLIENTS, time.monotonic() + SECONDS
    ask = b"GET /hello HTTP/1.1\r\nHost: bench\r\n\r\n"

    def client(number: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            while time.monotonic() < end:
                connection.sendall(ask)
                while not connection.recv(4096).endswith(b"}\n"):
                    pass
                done[number] += 1

    in_threads(client, CLIENTS)
    return sum(done) / SECONDS


def in_threads(work: Callable[[int], None], count: int) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def put(port: int, size: int) -> int | None:
    """The status of an upload of zeros by a client that reads only after it has sent all; None without an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request("PUT", "/upload", bytes(size))
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


def measure_server(run: Callable[[Any], None]) -> dict[str, float]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=run, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    port = ours.recv()
    assert put(port, UPLOAD_BYTES) == 200
    started = time.monotonic()
    put(port, UPLOAD_BYTES)
    upload = time.monotonic() - started
    figures = {
        "requests a second": requests_per_second(port),
        "100 MB upload, ms": upload * 1000,
        "refusals read, %": 100 * sum(put(port, REFUSED_BYTES) == 413 for _ in range(REFUSALS)) / REFUSALS,
    }
    process.terminate()
    return figures


def measure_queue(folder: Path) -> float:
    """Median ms from a wake to the message in a waiting worker's hand."""
    worker, taken = Queue(Settings(data_dir=folder)), []
    worker.listen()

    def take(_: int) -> None:
        while len(taken) < WAKES:
            if worker.huey.dequeue():
                taken.append(time.monotonic())

    thread = threading.Thread(target=take, args=(0,))
    thread.start()
    sent = []
    for number in range(WAKES):
        sent.append(time.monotonic())
        worker.wake()
        while len(taken) <= number:
            time.sleep(0.0005)
    thread.join()
    return 1000 * statistics.median(there - here for here, there in zip(sent, taken, strict=True))


def measure_watcher(folder: Path) -> float:
    """Median ms from a ring to a waiting stream."""
    latest = {"job": 0}
    watcher = Watcher(Bell(folder / "events.sock"), lambda _: latest)
    delays = []
    with watcher.subscribe("job") as subscription:
        for number in range(WAKES):
            latest["job"] = number + 1
            started = time.monotonic()
            watcher.bell.ring("job")
            subscription.wait(number, 10)
            delays.append(time.monotonic() - started)
    return 1000 * statistics.median(delays)


def main() -> None:
    ours, stock = measure_server(run_ours), measure_server(run_stock)
    print(f"{'':24}{'svc':>12}{'Waitress':>12}{'ratio':>8}")
    for name, figure in ours.items():
        ratio = figure / stock[name] if stock[name] else float("inf")
        print(f"{name:24}{figure:12.1f}{stock[name]:12.1f}{ratio:8.2f}")
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'wake of a worker, ms':24}{measure_queue(Path(folder)):12.2f}")
        print(f"{'wake of a stream, ms':24}{measure_watcher(Path(folder)):12.2f}")


if __name__ == "__main__":
    main()
