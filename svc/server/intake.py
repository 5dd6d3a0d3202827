"""Bodies on their way in: each uploader may send a few at once, and together they must leave the disk its reserve."""

import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping

from svc.core.slots import Slots

MEMORY_BYTES = 512 * 1024
"""Bodies up to this size stay in memory."""


MAX_UPLOADS = 256

Uploader = Callable[[str, Mapping[str, str]], tuple[str, int]]
"""(peer's address, request headers) -> (who uploads, how many files they may send at once). Asks no database."""


class Intake:
    """Counts announced bytes and uploads. They count until their request is over, when a body's temp file goes too."""

    def __init__(self, reserve_bytes: int, uploader: Uploader):
        self.reserve_bytes, self.uploader = reserve_bytes, uploader
        self.promised = 0
        self.lock = threading.Lock()
        self.uploads = Slots()

    def take_slot(self, peer: str, headers: Mapping[str, str]) -> Callable[[], None] | None:
        """What gives the slot back, or None when this uploader has none left."""
        who, most = self.uploader(peer, headers)
        return self.uploads.take(who, most, MAX_UPLOADS)

    def admit(self, size: int) -> bool:
        """Whether a body of `size` bytes still fits. If so, `release` it later."""
        with self.lock:
            free = shutil.disk_usage(tempfile.gettempdir()).free
            if free - self.promised - size < self.reserve_bytes:
                return False
            self.promised += size
            return True

    def release(self, size: int) -> None:
        with self.lock:
            self.promised -= size
