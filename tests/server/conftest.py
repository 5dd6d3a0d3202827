import pytest
from rawhttp import Running


@pytest.fixture
def web():
    """A server in a thread, stopped at the end."""
    running = Running()
    yield running
    running.stage.release.set()
    running.stop()
