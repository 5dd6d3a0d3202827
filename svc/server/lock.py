"""A lock file that the kernel lets go when its process dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class LockTakenError(Exception):
    """Another process holds the lock; the message says which."""


@contextmanager
def held(path: Path, wait: bool = False) -> Iterator[None]:
    """Holds the lock while the block runs. When another process has it: waits, or raises LockTakenError."""
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError as error:
            file.seek(0)
            raise LockTakenError(f"process {file.read().strip() or 'unknown'}") from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
