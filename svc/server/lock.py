"""A lock file that the kernel lets go when its process dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PRIVATE = 0o600


class LockTakenError(Exception):
    """Another process holds the lock; the message says which."""


@contextmanager
def held(path: Path, wait: bool = False, text: str | None = None) -> Iterator[None]:
    """Holds the lock while the block runs. When another process has it: waits, or raises LockTakenError.

    The file is for its user only and says `text`, by default the process id.
    """
    with path.open("a+") as file:
        os.fchmod(file.fileno(), PRIVATE)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError as error:
            file.seek(0)
            raise LockTakenError(f"process {file.read().strip() or 'unknown'}") from error
        file.truncate(0)
        file.write(text or str(os.getpid()))
        file.flush()
        yield
