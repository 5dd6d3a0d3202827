"""A wake-up between processes of one machine: whoever rings never waits, whoever listens also looks without a ring.

A ring is one unix datagram. It may be lost (nobody listens, or the buffer is full), so every listener
waits with a time-out and looks by itself as well.
"""

import contextlib
import hashlib
import logging
import select
import socket
from pathlib import Path

log = logging.getLogger(__name__)

MAX_PATH_BYTES = 100  # sun_path holds 108 on Linux and 104 elsewhere, with its closing zero
MAX_DATAGRAM = 256


def address_of(path: Path) -> str:
    """`path`, or a name in Linux's abstract namespace when the path is too long for a socket."""
    text = str(path.absolute())
    if len(text.encode()) <= MAX_PATH_BYTES:
        return text
    return "\0svc-" + hashlib.sha256(text.encode()).hexdigest()


class Bell:
    """One bell, known by its path. Any process may ring it; one listens. Without a path nobody hears it."""

    def __init__(self, path: Path | None):
        self.address = "" if path is None else address_of(path)
        self.out = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.out.setblocking(False)
        self.ear: socket.socket | None = None

    def ring(self, message: str = "") -> None:
        with contextlib.suppress(OSError):
            self.out.sendto(message.encode(), self.address)

    def listen(self) -> None:
        """From now on `wait` hears rings. A machine that has no such sockets is left with the time-out."""
        if not self.address:
            return
        if not self.address.startswith("\0"):
            Path(self.address).unlink(missing_ok=True)  # left by a process that is gone
        ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            ear.bind(self.address)
        except OSError as error:
            ear.close()
            log.warning("no wake-ups, only looking now and then: %s", error)
            return
        ear.setblocking(False)
        self.ear = ear

    def wait(self, seconds: float) -> bool:
        """True as soon as a ring is there, False after `seconds` without one. Several threads may wait."""
        poll = select.poll()
        if self.ear is not None:
            poll.register(self.ear, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def messages(self) -> set[str]:
        """What has been rung since the last call, emptied without waiting."""
        found: set[str] = set()
        while self.ear is not None:
            try:
                found.add(self.ear.recv(MAX_DATAGRAM).decode("utf-8", "replace"))
            except BlockingIOError:
                break
        return found

    def take_one(self) -> None:
        """Uses up one ring, so that one ring wakes one of several waiting threads."""
        if self.ear is not None:
            try:
                self.ear.recv(MAX_DATAGRAM)
            except BlockingIOError:
                return

    def stop_listening(self) -> None:
        if self.ear is not None:
            self.ear.close()
            self.ear = None
