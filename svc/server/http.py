"""The web server: Waitress with our channel, body rules read from the routes, and a stop that lets answers finish."""

import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from flask import Flask, Response
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher
from werkzeug.exceptions import HTTPException

from svc.core.body import DEFAULT_RULE, rule_of
from svc.core.errors import Refusal
from svc.core.http import refused
from svc.core.limits import ServiceLimits
from svc.server.channel import Channel, answering
from svc.server.intake import MEMORY_BYTES, Intake
from svc.server.parser import MaxBody
from svc.server.poll import Poll

THREADS_BESIDE = 96  # for plain requests, beside one for every event stream; an idle thread costs about 16 KB
CONNECTIONS = 2000
SPARE_CONNECTIONS = 50  # beyond the limit while every connection is at work
HEADER_BYTES = 32 * 1024
RECEIVE_BYTES = 64 * 1024
PENDING_OUTPUT_BYTES = 1024 * 1024
IDLE_SECONDS = 60
PEER_TIMEOUT_MS = 30_000
LOOP_SECONDS = 1


Worded = Callable[[str, Refusal], Response]
"""(path, or '' where none was read, and a refusal of the web server itself) -> the answer."""


def body_rules(app: Flask, limits: ServiceLimits) -> MaxBody:
    """The body rule of the view that a request line leads to, or the default where it leads to none."""
    routes = app.url_map.bind("")

    def rule_for(method: str, path: str) -> tuple[int, bool]:
        try:
            endpoint, _ = routes.match("/" + as_text(path).lstrip("/"), method=method)
            rule = rule_of(app.view_functions[endpoint])
        except HTTPException:
            rule = DEFAULT_RULE
        return rule.max_bytes(limits), rule.needs_length

    return rule_for


def as_text(path: str) -> str:
    """WSGI passes UTF-8 bytes as Latin-1; Flask matches the text they stand for."""
    return path.encode("latin-1").decode("utf-8", "replace")


class Server(TcpWSGIServer):
    """Serves a WSGI application on a listening socket: `run` returns after `stop` was called from anywhere."""

    channel_class = Channel
    draining = False

    def __init__(
        self,
        application: Any,
        listener: socket.socket,
        body_rule: MaxBody,
        intake: Intake,
        threads: int,
        worded: Worded = lambda _path, refusal: refused(refusal),
    ):
        self.body_rule, self.intake, self.worded = body_rule, intake, worded
        self.now = time.time()
        self.stopping = threading.Event()
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        adjustments = Adjustments(
            sockets=[listener],
            ident=None,
            connection_limit=CONNECTIONS + SPARE_CONNECTIONS,
            channel_timeout=IDLE_SECONDS,
            channel_request_lookahead=1,  # keep reading while a request runs, to see the client leave
            max_request_header_size=HEADER_BYTES,
            max_request_body_size=1 << 60,  # the routes' own rules decide
            recv_bytes=RECEIVE_BYTES,
            inbuf_overflow=MEMORY_BYTES,
            outbuf_high_watermark=PENDING_OUTPUT_BYTES,
            clear_untrusted_proxy_headers=False,  # svc.server.proxy does it
        )
        address = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(
            application,
            map={},
            _sock=listener,
            dispatcher=dispatcher,
            adj=adjustments,
            sockinfo=address,
            bind_socket=False,
        )
        self.poll = Poll(self._map)

    def set_socket_options(self, conn: socket.socket) -> None:
        super().set_socket_options(conn)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, PEER_TIMEOUT_MS)

    def run(self, on_stop: Callable[[], None] = lambda: None, grace: float = 5) -> None:
        """Serves until `stop`; then calls `on_stop`, which ends the streams, and gives answers `grace` seconds."""
        while not self.stopping.is_set():
            self.turn(LOOP_SECONDS)
        self.draining = True
        self.stop_listening()
        on_stop()
        end = time.monotonic() + grace
        while time.monotonic() < end and self.busy():
            self.turn(0.1)
        self.task_dispatcher.shutdown(timeout=1)
        for channel in list(self.active_channels.values()):
            channel.handle_close()

    def stop(self) -> None:
        """Safe in a signal handler and in any thread."""
        self.stopping.set()
        self.pull_trigger()

    def pull_trigger(self) -> None:
        """Wakes the loop; in a thread that answers a request, to look at its channel."""
        if answering.fd is not None:
            self.poll.touch(answering.fd)
        super().pull_trigger()

    def turn(self, seconds: float) -> None:
        self.now = time.time()
        self.poll.turn(seconds)

    def handle_accept(self) -> None:
        if len(self.active_channels) >= CONNECTIONS:
            self.evict()
        super().handle_accept()

    def evict(self) -> None:
        """Closes the longest idle connection, so that a flood of idle ones pushes out its own."""
        idle = (channel for channel in self.active_channels.values() if not channel.requests)
        oldest = min(idle, key=lambda channel: channel.last_activity, default=None)
        if oldest is not None:
            oldest.handle_close()

    def stop_listening(self) -> None:
        self.accepting = False
        self.del_channel()
        self.socket.close()
        for channel in list(self.active_channels.values()):
            channel.drain()
        self.poll.touch_all()

    def busy(self) -> bool:
        return any(channel.requests or channel.total_outbufs_len for channel in self.active_channels.values())
