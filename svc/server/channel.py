"""One connection: answers every refusal so that the client can read it, and gives up on dead peers.

All of a channel but `service` runs in the I/O thread. `service` runs in the thread that answers the request.
"""

import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.task import ErrorTask, WSGITask

from svc.core.errors import Refusal
from svc.server.parser import Parser

LINGER_SECONDS = 30
LINGER_IDLE_SECONDS = 5
STALL_SECONDS = 60
HEADER_SECONDS = 30
DRAIN_BYTES = 256 * 1024

CODES = {413: "body_too_large", 431: "headers_too_large", 500: "internal_error", 501: "not_implemented"}


def as_refusal(error: Any) -> Refusal:
    """Waitress's own errors in the service's shape."""
    if isinstance(error, Refusal):
        return error
    return Refusal(CODES.get(error.code, "invalid_request"), error.body, status=error.code)


class Answering(threading.local):
    """The file descriptor of the channel that this thread is answering, or answered last."""

    fd: int | None = None


answering = Answering()


class OnGone:
    """What is to be called when the client leaves before the answer's end. In the environ as `httpd.on_gone`."""

    def __init__(self) -> None:
        self.callbacks: list[Callable[[], None]] = []
        self.gone = False
        self.lock = threading.Lock()

    def append(self, callback: Callable[[], None]) -> None:
        with self.lock:
            self.callbacks.append(callback)
        if self.gone:
            self.tell()

    def tell(self) -> None:
        self.gone = True
        with self.lock:
            callbacks, self.callbacks = self.callbacks, []
        for callback in callbacks:
            callback()

    def clear(self) -> None:
        with self.lock:
            self.callbacks.clear()


class RefusalTask(ErrorTask):
    def execute(self) -> None:
        answer = self.channel.server.worded(self.request.path, as_refusal(self.request.error))
        body = answer.get_data()
        self.status = answer.status
        self.response_headers += [item for item in answer.headers.items() if item[0] != "Content-Length"]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(b"" if self.request.command == "HEAD" else body)


class AppTask(WSGITask):
    def get_environment(self) -> dict[str, Any]:
        environ = super().get_environment()
        environ["httpd.on_gone"] = self.channel.on_gone
        return environ

    def build_response_header(self) -> bytes:
        if self.channel.server.draining:
            self.set_close_on_finish()
        return super().build_response_header()


class Channel(HTTPChannel):
    task_class, error_task_class = AppTask, RefusalTask

    request: Parser | None = None
    """The request that is still arriving."""
    refused = False
    """A refusal is on its way: whatever else arrives is thrown away."""
    eof = False
    """The client has sent all it will. It may still read."""
    lingering_until = 0.0
    """Non-zero once the refusal is sent and our side is shut: reading on keeps the answer from being reset away."""

    def __init__(self, server: Any, sock: socket.socket, addr: Any, adj: Adjustments, map: Any = None):
        self.on_gone = OnGone()
        super().__init__(server, sock, addr, adj, map=map)
        server.poll.touch(self._fileno)

    def parser_class(self, adj: Adjustments) -> Parser:
        return Parser(adj, self.server.body_rule, self.server.intake, str(self.addr[0]))

    # The client's leaving

    def check_client_disconnected(self) -> bool:
        return self.eof or not self.connected

    def handle_close(self) -> None:
        self.on_gone.tell()  # before the answering thread can notice, end the request and forget the callbacks
        super().handle_close()
        if self.request is not None:
            self.request.close()

    def handle_expt(self) -> None:
        self.handle_close()  # urgent data has no meaning in HTTP, and left unread it would keep the loop spinning

    # Reading

    def readable(self) -> bool:
        """Asked whenever something happened, and at least once a second, so that deadlines are kept here."""
        if self.overdue():
            self.handle_close()  # at once: a peer that stopped reading never becomes writable
            return False
        if self.lingering_until:
            return True
        return not self.eof and not self.server.draining and super().readable()

    def overdue(self) -> bool:
        now = self.server.now
        idle = now - self.last_activity
        if self.lingering_until:
            return now > self.lingering_until or idle > LINGER_IDLE_SECONDS
        if self.total_outbufs_len:
            return idle > STALL_SECONDS
        arriving = self.request
        if arriving is None or arriving.headers_finished or self.requests:
            return False
        return now - arriving.started > HEADER_SECONDS

    def handle_read(self) -> None:
        try:
            data = self.socket.recv(DRAIN_BYTES if self.lingering_until else self.adj.recv_bytes)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.handle_close()
            return
        if not data:
            self.handle_eof()
            return
        self.last_activity = time.time()
        if not self.refused:
            self.received(data)

    def received(self, data: bytes) -> bool:
        taken = super().received(data)
        self.refused = any(request.error for request in list(self.requests))
        return taken

    def handle_eof(self) -> None:
        """The client shut its side. A complete request is still answered, a short one is told so."""
        if self.lingering_until:
            self.handle_close()
            return
        self.eof = True
        self.on_gone.tell()
        self.take_no_more(cut_short)

    def drain(self) -> None:
        """The server stops: what runs is answered, what is still arriving is refused, the rest is closed."""
        if not self.lingering_until and not self.eof:
            self.take_no_more(stopping)

    def take_no_more(self, reason: Callable[[Parser], Refusal]) -> None:
        with self.requests_lock:
            unfinished, self.request = self.request, None
            if unfinished is not None and not unfinished.completed:
                unfinished.refuse(reason(unfinished))
                self.requests.append(unfinished)
                self.refused = True
                if len(self.requests) == 1:
                    self.server.add_task(self)
            elif not self.requests:
                self.close_when_flushed = True

    # Writing

    def writable(self) -> bool:
        return bool(self.connected and not self.lingering_until and super().writable())

    def handle_write(self) -> None:
        if self.close_when_flushed and self.refused and not self.eof and not self.will_close:
            self.finish_refusal()
        else:
            super().handle_write()

    def finish_refusal(self) -> None:
        """Closing while the client still sends would reset the connection, and the client would lose the answer."""
        self._flush_exception(self._flush_some)
        if not self.connected or self.total_outbufs_len or self.will_close:
            return
        self.close_when_flushed = False
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self.handle_close()
            return
        self.last_activity = time.time()
        self.lingering_until = self.last_activity + LINGER_SECONDS

    def service(self) -> None:
        answering.fd = self._fileno
        super().service()
        self.on_gone.clear()
        if self.eof and not self.requests:
            self.close_when_flushed = True
            if self.connected:
                self.server.pull_trigger()


def cut_short(request: Parser) -> Refusal:
    if request.headers_finished:
        return Refusal("length_mismatch", f"The body ended after {request.body_bytes_received} bytes.")
    return Refusal("invalid_request", "The request ended within its headers.")


def stopping(request: Parser) -> Refusal:
    return Refusal("busy", "The server is stopping. Try again.", retry_after=5)
