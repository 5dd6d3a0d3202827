"""What time removes of accounts: ended sign-ins, keys that stopped working, old mails, ledger lines of nobody."""

from collections.abc import Iterator

from svc.accounts import users
from svc.accounts.models import ApiKey, DeviceLogin, Entry, Hold, MailLink, Session
from svc.core import cleanup
from svc.core.cleanup import Waste, rows
from svc.core.settings import Settings

DAY_MS = 24 * 3600 * 1000
# A device that asks late is still told that its code has expired.
DEVICE_LOGIN_MS = DAY_MS
DEAD_KEY_MS = 30 * DAY_MS
MAIL_MS = 30 * DAY_MS


def waste(settings: Settings, now: int) -> Iterator[Waste]:
    yield rows("sessions", Session, Session.expires_at <= now)
    yield rows("mail_links", MailLink, MailLink.expires_at <= now)
    yield rows("device_logins", DeviceLogin, DeviceLogin.expires_at <= now - DEVICE_LOGIN_MS)
    dead_since = now - DEAD_KEY_MS
    yield rows("api_keys", ApiKey, (ApiKey.revoked_at <= dead_since) | (ApiKey.expires_at <= dead_since))
    yield rows("ledger_entries", Entry, users.is_gone(Entry.owner))
    yield rows("holds", Hold, users.is_gone(Hold.owner))
    for mail in settings.folder("outbox").glob("*.eml"):
        if cleanup.is_untouched(mail, MAIL_MS):
            yield cleanup.file("mails", mail)
