"""Which connections are ready, without asking every one of them at every turn as Waitress's own loop does.

What a channel waits for changes only when something happens to it. So a turn asks those that had an event and those
whose answering thread has touched them; all of them only once a second, when they also keep their deadlines. With a
thousand event streams open this is what keeps plain requests fast.
"""

import select
import time
from collections import deque
from typing import Any

from waitress import wasyncore

ROUND_SECONDS = 1.0


class Poll:
    """Watches the dispatchers of a wasyncore map, which are kept there by file descriptor."""

    def __init__(self, map: dict[int, Any]):
        self.map = map
        self.poller = select.poll()
        self.wanted: dict[int, int] = {}
        self.touched: deque[int] = deque()
        self.next_round = 0.0

    def touch(self, fd: int) -> None:
        """Has this one asked at the next turn. Safe in any thread."""
        self.touched.append(fd)

    def touch_all(self) -> None:
        self.next_round = 0.0

    def turn(self, seconds: float) -> None:
        """Waits for the next event, at most so long, and handles all that are there."""
        for fd in self.to_ask():
            self.ask(fd)
        for fd, flags in self.poller.poll(seconds * 1000):
            self.touch(fd)
            if (dispatcher := self.map.get(fd)) is not None:
                wasyncore.readwrite(dispatcher, flags)

    def to_ask(self) -> set[int]:
        fds = {self.touched.popleft() for _ in range(len(self.touched))}
        if time.monotonic() >= self.next_round:
            self.next_round = time.monotonic() + ROUND_SECONDS
            fds.update(self.map, self.wanted)
        return fds

    def ask(self, fd: int) -> None:
        """Sets what is waited for on this descriptor: nothing any more when its dispatcher is gone."""
        dispatcher = self.map.get(fd)
        flags = wish_of(dispatcher) if dispatcher is not None else 0
        if flags == self.wanted.get(fd, 0):
            return
        if flags:
            self.poller.register(fd, flags)
            self.wanted[fd] = flags
        else:
            self.poller.unregister(fd)
            del self.wanted[fd]


def wish_of(dispatcher: Any) -> int:
    flags = select.POLLIN | select.POLLPRI if dispatcher.readable() else 0
    if dispatcher.writable() and not dispatcher.accepting:
        flags |= select.POLLOUT
    return flags
