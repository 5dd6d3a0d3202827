"""Bodies on their way in: together they must leave the disk its reserve, whatever clients announce."""

import shutil
import tempfile
import threading

MEMORY_BYTES = 512 * 1024
"""Bodies up to this size stay in memory."""


class Intake:
    """Counts announced bytes. A body is counted until its request is over, when its temp file goes too."""

    def __init__(self, reserve_bytes: int):
        self.reserve_bytes = reserve_bytes
        self.promised = 0
        self.lock = threading.Lock()

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
