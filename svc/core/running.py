"""Where the server of a data directory answers, for commands beside it: the server says so in a file that it locks."""

import fcntl
from pathlib import Path

ADDRESS_FILE = "serve.address"


def site_root(data_dir: Path) -> str | None:
    """The public address of the server that runs on this data; None while none does."""
    try:
        with (data_dir / ADDRESS_FILE).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return (data_dir / ADDRESS_FILE).read_text() or None
    except FileNotFoundError:
        pass
    return None
