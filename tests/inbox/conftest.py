"""The application in this process, with and without a mail server, and limits that count from zero."""

import pytest
from commands import Svc
from smtp_inbox import Inbox

from app import create_app
from svc.core import database
from svc.core.settings import Settings
from svc.inbox import contact, postman, waitlist


@pytest.fixture
def settings(tmp_path):
    """Without a mail server."""
    return Settings(data_dir=tmp_path, secret_key="secret")


@pytest.fixture
def client(settings):
    for limit in (contact.visits, contact.site, waitlist.visits, waitlist.mails):
        limit.hits.clear()
    database.connect(settings)
    database.migrate(settings)
    yield create_app(settings).test_client()
    database.release()


@pytest.fixture
def svc(client, settings):
    return Svc(settings.data_dir)


@pytest.fixture(scope="session")
def inbox():
    """A real SMTP server."""
    inbox = Inbox()
    inbox.start()
    yield inbox
    inbox.stop()


@pytest.fixture
def mailed(client, settings, inbox):
    """Sends what is due, and tells to whom."""

    def send():
        before = len(inbox.mails)
        postman.send_due(settings)
        return [address for mail in inbox.mails[before:] for address in mail.rcpt_tos]

    return send
