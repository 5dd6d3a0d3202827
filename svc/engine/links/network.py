"""The sockets of one link session: where they may go, when they must stop, how much a page may hold."""

import contextlib
import socket
import threading
import weakref
from collections.abc import Iterator
from typing import Any

from yt_dlp.networking.exceptions import RequestError
from yt_dlp.utils import DownloadCancelled

from svc.engine.links.address import AddressPolicy

TIME_IS_UP = "time is up"
TOO_MANY_BYTES = "too many bytes"


# yt-dlp passes a RequestError on, turns any other exception into "no handler", and retries a TransportError.
class AddressRefusedError(RequestError):
    """The address policy forbids the connection."""


class PageTooLargeError(RequestError):
    """A page, playlist or caption file is longer than a session reads."""


class Stopped(DownloadCancelled):
    """The session was stopped; the message is the reason."""


class Network:
    """Opens every socket of a session and can shut them all, which ends any read at once."""

    def __init__(self, policy: AddressPolicy, max_page_bytes: int):
        self.policy, self.max_page_bytes = policy, max_page_bytes
        self.stop_reason: str | None = None
        self._stopped = threading.Event()
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._lock = threading.Lock()

    def connect(self, host: str, address_info: tuple, timeout: Any, source_address: Any) -> socket.socket:
        """Connects to exactly this row of getaddrinfo. Raises AddressRefusedError, OSError and Stopped."""
        family, kind, protocol, _, address = address_info
        if not self.policy.allows(address[0], address[1]):
            raise AddressRefusedError(f"{host} leads to an address that links may not reach")
        connection = socket.socket(family, kind, protocol)
        with contextlib.ExitStack() as on_failure:
            on_failure.callback(connection.close)
            self.watch(connection)
            if timeout is not socket._GLOBAL_DEFAULT_TIMEOUT:  # type: ignore[attr-defined]
                connection.settimeout(timeout)
            connection.connect(address)
            on_failure.pop_all()
        return connection

    def watch(self, connection: socket.socket) -> None:
        """Makes `stop` end this socket too."""
        with self._lock:
            self._sockets.add(connection)
        self.check()

    def stop(self, reason: str) -> None:
        """Ends every connection, from any thread, and refuses new ones."""
        with self._lock:
            self.stop_reason = self.stop_reason or reason
            self._stopped.set()
            sockets = list(self._sockets)
        for connection in sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def check(self) -> None:
        if self.stop_reason:
            raise Stopped(self.stop_reason)

    def sleep(self, seconds: float) -> None:
        """Waits, but no longer than until the stop."""
        self._stopped.wait(seconds)
        self.check()

    @contextlib.contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """Stops whatever runs inside the block for longer than this, with the reason TIME_IS_UP."""
        self.stop_reason = None
        self._stopped.clear()
        timer = threading.Timer(seconds, self.stop, (TIME_IS_UP,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
        self.check()
