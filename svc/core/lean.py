"""Imports that leave out what a library would load only because it happens to be installed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Inside, these modules cannot be imported unless they were before; afterwards they can again.

    For modules that nobody else needs just then: an import in another thread would miss them too.
    """
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
