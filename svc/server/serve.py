"""`svc serve`: the web server in this process, the workers in a child that is kept alive, one data directory."""

import ctypes
import http.client
import logging
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace

from flask import Flask, Response

from app import create_app, worded_for
from svc.accounts.cookie import COOKIE
from svc.accounts.secrets import is_well_formed
from svc.ask.ask import forget_interrupted
from svc.core import database, running
from svc.core.errors import Refusal
from svc.core.limits import MB, Limits
from svc.core.settings import SettingError, Settings
from svc.engine.links.address import AddressPolicy
from svc.inbox import postman
from svc.inbox.waitlist import confirms_by_mail
from svc.jobs import watch
from svc.server import logs
from svc.server.http import THREADS_BESIDE, Server, Worded, body_rules
from svc.server.intake import Intake, Uploader
from svc.server.lock import LockTakenError, held
from svc.server.proxy import TrustedProxies, networks
from svc.server.supervisor import Supervisor

log = logging.getLogger(__name__)

WORKER_COMMAND = (sys.executable, "-m", "svc.server.worker")
PASSED_ON = ("data_dir", "host", "port", "site_root", "workers", "log_level")

BACKLOG = 1024
PRIVATE_UMASK = 0o077  # the data directory holds addresses, hashes and other people's videos
OPEN_FILES = 65_536
ARENAS = 2  # glibc keeps freed memory per arena and makes one for nearly every thread
M_ARENA_MAX = -8
ANSWER_SECONDS = 5.0
WORKER_SECONDS = 3.5  # after the answers; with them it stays below the 10 s of a graceful stop


class StartError(Exception):
    """Why the service can't start, in one sentence."""


def serve(settings: Settings) -> int:
    """Runs until SIGTERM or SIGINT; the exit code."""
    on_stop_signal(lambda: sys.exit(0))  # while there is nothing to drain yet
    try:
        logs.set_up(settings.log_level)
        with held(settings.data_dir / "serve.lock"):
            tune_process(settings)
            run(settings)
    except LockTakenError as error:
        return refuse(f"Another svc serve already uses {settings.data_dir} ({error}).")
    except (SettingError, StartError) as error:
        return refuse(str(error))
    return 0


def on_stop_signal(action: Callable[[], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: action())


def refuse(sentence: str) -> int:
    sys.stderr.write(sentence + "\n")
    return 1


def run(settings: Settings) -> None:
    listener = listen(settings.host, settings.port)
    settings = replace(settings, port=listener.getsockname()[1])
    server = make_server(settings, listener)
    workers = Supervisor(WORKER_COMMAND, worker_environment(settings))
    on_stop_signal(server.stop)
    threading.Thread(target=announce, args=(server, settings.host), name="announce", daemon=True).start()
    if confirms_by_mail(settings):
        threading.Thread(target=postman.run, args=(settings,), name="postman", daemon=True).start()
    if settings.workers:
        workers.start()

    def end_the_rest() -> None:
        workers.stop_soon()
        watch.close()

    with held(settings.data_dir / running.ADDRESS_FILE, wait=True, text=settings.root):
        server.run(on_stop=end_the_rest, grace=ANSWER_SECONDS)
    workers.join(WORKER_SECONDS)


def make_server(settings: Settings, listener: socket.socket) -> Server:
    """The application on its socket, with the schema up to date. The caller holds the group's lock."""
    proxies = networks(settings.trusted_proxies)
    database.connect(settings)
    database.migrate(settings)
    forget_interrupted()
    database.release()
    watch.connect(settings)
    app = create_app(settings)
    rules = body_rules(app, settings.limits.service)
    threads = settings.limits.service.event_streams + THREADS_BESIDE
    check_allowed_hosts(settings.allow_hosts)
    application = TrustedProxies(app, proxies)
    intake = Intake(settings.disk_reserve_mb * MB, uploaders(settings.limits, application))
    return Server(application, listener, rules, intake, threads, wording(app))


def wording(app: Flask) -> Worded:
    """What the web server itself refuses is answered as the application would answer it, to nobody in particular."""

    def worded(path: str, refusal: Refusal) -> Response:
        with app.test_request_context():
            return app.process_response(worded_for(path, refusal))

    return worded


def check_allowed_hosts(entries: tuple[str, ...]) -> None:
    try:
        AddressPolicy(entries)
    except ValueError as error:
        raise SettingError(f"SVC_ALLOW_HOSTS is malformed: {error}") from error


def uploaders(limits: Limits, proxies: TrustedProxies) -> Uploader:
    """Who uploads, as far as headers tell: a key that is well formed, else the client's address."""

    def uploader(peer: str, headers: Mapping[str, str]) -> tuple[str, int]:
        key = headers.get("X_API_KEY") or headers.get("AUTHORIZATION", "").rpartition(" ")[2]
        if is_well_formed(key):
            return key, limits.free.uploads_in_flight
        address = proxies.client(peer, headers.get("X_FORWARDED_FOR", "")) if proxies.trusts(peer) else peer
        signed_in = "AUTHORIZATION" in headers or COOKIE in headers.get("COOKIE", "")
        return address, (limits.free if signed_in else limits.anonymous).uploads_in_flight

    return uploader


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 picks a free one. Of a name's addresses IPv4 comes first. Raises StartError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        raise StartError(f"Cannot listen on {host}:{port}: {error}.") from error


def announce(server: Server, host: str) -> None:
    """Prints where the service is once it answers there."""
    while not server.stopping.wait(0.02):
        if is_healthy(server.socket):
            shown = f"[{host}]" if ":" in host else host
            sys.stdout.write(f"svc serving on http://{shown}:{server.effective_port}\n")
            sys.stdout.flush()
            return


def is_healthy(listener: socket.socket) -> bool:
    host, port = listener.getsockname()[:2]
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    connection = http.client.HTTPConnection(reachable, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def tune_process(settings: Settings) -> None:
    """Memory, open files and a temp folder on the data directory's disk, for this process and its children."""
    os.umask(PRIVATE_UMASK)
    os.environ["MALLOC_ARENA_MAX"] = str(ARENAS)
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(M_ARENA_MAX, ARENAS)  # this process has read its environment already
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    shutil.rmtree(settings.data_dir / "tmp", ignore_errors=True)
    tempfile.tempdir = os.environ["TMPDIR"] = str(settings.folder("tmp"))


def worker_environment(settings: Settings) -> dict[str, str]:
    """What was given by flags goes on by environment; the same modules are found, however this process was started."""
    passed = {f"SVC_{name.upper()}": str(getattr(settings, name)) for name in PASSED_ON}
    return {**os.environ, **passed, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
