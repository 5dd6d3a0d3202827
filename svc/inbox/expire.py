"""What time removes of the inbox: what was dealt with, and what nobody confirmed."""

from collections.abc import Iterator

from svc.core.cleanup import Waste, rows
from svc.core.settings import Settings
from svc.inbox import postman
from svc.inbox.models import ContactMessage, WaitlistEntry, WaitlistLink, WaitlistMail

DAY_MS = 24 * 3600 * 1000
DONE_MESSAGE_MS = 30 * DAY_MS


def waste(settings: Settings, now: int) -> Iterator[Waste]:
    yield rows("contact_messages", ContactMessage, ContactMessage.done_at <= now - DONE_MESSAGE_MS)
    yield rows("waitlist_links", WaitlistLink, WaitlistLink.expires_at <= now)
    yield rows("waitlist_mails", WaitlistMail, WaitlistMail.due_at <= now - DAY_MS)
    still_good = WaitlistLink.select(WaitlistLink.email).where(WaitlistLink.expires_at > now)
    old = WaitlistEntry.joined_at.is_null() & (WaitlistEntry.created_at <= now - postman.GOOD_MS)
    yield rows("waitlist_entries", WaitlistEntry, old & WaitlistEntry.email.not_in(still_good))
