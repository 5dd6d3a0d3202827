"""An empty data directory for tests that call the rooms directly, without a server."""

import pytest

from svc.core import database
from svc.core.settings import load


@pytest.fixture
def settings(tmp_path):
    settings = load({"data_dir": str(tmp_path)}, {})
    database.connect(settings)
    database.migrate(settings)
    yield settings
    database.release()
