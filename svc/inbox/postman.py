"""The mails of the waitlist: sent after the answer, by a thread of the web process, and tried again when they fail."""

import logging
import secrets as random
import threading
import time
from urllib.parse import urlencode

from svc.accounts.secrets import hashed
from svc.core import clock, database, mail
from svc.core.settings import Settings
from svc.inbox.models import WaitlistEntry, WaitlistLink, WaitlistMail

JOIN, LEAVE = "join", "leave"
MINUTE_MS = 60_000
GOOD_MS = 7 * 24 * 60 * MINUTE_MS
PAUSE_SECONDS = 0.3  # so that no mail is written while the answer to its request is still on the way
ROUND_SECONDS = 60
RETRY_MS = 5 * MINUTE_MS  # doubled with each try: the last one is about a day after the first
MOST_TRIES = 9

JOIN_TEXT = """\
Somebody, probably you, wants to put this address on the waitlist of {root} for: {interests}.

Open this page within 7 days to confirm it:

{link}

If it was not you, ignore this mail: the address is forgotten then.
"""
LEAVE_TEXT = """\
Somebody, probably you, wants to take this address off the waitlist of {root}.

Open this page within 7 days and press the button there:

{link}

If it was not you, ignore this mail: the address stays on the list.
"""

log = logging.getLogger(__name__)
bell = threading.Event()


def wake() -> None:
    bell.set()


def run(settings: Settings) -> None:
    """Sends what is due, for as long as the process lives."""
    while True:
        bell.wait(ROUND_SECONDS)
        bell.clear()
        time.sleep(PAUSE_SECONDS)
        try:
            send_due(settings)
        except Exception:  # noqa: BLE001 - the thread's boundary: the next round may do better
            log.exception("the waitlist's mails could not be sent")
        finally:
            database.release()


def send_due(settings: Settings) -> None:
    """Sends each mail that is due; what fails is due again later."""
    now = clock.now_ms()
    due = (WaitlistMail.due_at <= now) & (WaitlistMail.tries < MOST_TRIES)
    for one in list(WaitlistMail.select().where(due).order_by(WaitlistMail.due_at)):
        if postpone(one, now):
            try:
                deliver(settings, one)
            except mail.NotSentError as error:
                log.error("a mail of the waitlist waits for the next try: %s", error)
                continue
            except mail.UnsendableError as error:
                log.error("a mail of the waitlist is given up: %s", error)
            one.delete_instance()


def postpone(one: WaitlistMail, now: int) -> bool:
    """Whether the mail is ours to send now. If that fails, or nobody lives to tell, it is due again later."""
    later = now + RETRY_MS * 2**one.tries
    same = (WaitlistMail.email == one.email) & (WaitlistMail.purpose == one.purpose)
    claim = WaitlistMail.update(tries=one.tries + 1, due_at=later).where(same & (WaitlistMail.due_at == one.due_at))
    return claim.execute() == 1


def deliver(settings: Settings, one: WaitlistMail) -> None:
    """Writes and sends a mail, when there is something to tell this address. Raises what `mail.send` does."""
    waiting = WaitlistEntry.joined_at.is_null(one.purpose == JOIN)
    entries = WaitlistEntry.select().where((WaitlistEntry.email == one.email) & waiting)
    interests = sorted(entry.interest for entry in entries)
    if not interests:
        return
    if one.purpose == JOIN:
        link = make_link(settings, one, "/api/v1/waitlist/confirm")
        text = JOIN_TEXT.format(root=settings.root, interests=", ".join(interests), link=link)
        mail.send(settings, one.email, "Confirm your place on the waitlist", text)
    else:
        text = LEAVE_TEXT.format(root=settings.root, link=make_link(settings, one, "/waitlist/leave/confirm"))
        mail.send(settings, one.email, "Leave the waitlist", text)


def make_link(settings: Settings, one: WaitlistMail, path: str) -> str:
    token, now = random.token_urlsafe(32), clock.now_ms()
    WaitlistLink.create(
        token_hash=hashed(token), email=one.email, purpose=one.purpose, created_at=now, expires_at=now + GOOD_MS
    )
    return f"{settings.root}{path}?" + urlencode({"token": token})
