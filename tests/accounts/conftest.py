"""The application in this process, where a test moves the clock or asks a thousand times."""

import pytest

from app import create_app
from svc.accounts import device, mail_link
from svc.core import database
from svc.core.settings import Settings


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path, secret_key="secret")


@pytest.fixture
def client(settings):
    """A client of an application whose limits count from zero."""
    for limit in (mail_link.links, mail_link.visits, mail_link.tries, device.new_codes, device.guesses):
        limit.hits.clear()
    database.connect(settings)
    database.migrate(settings)
    yield create_app(settings).test_client()
    database.release()
