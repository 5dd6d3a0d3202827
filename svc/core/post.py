"""Mails that go out after the answer: a mail server that is slow or down neither holds up an answer nor shows in it.

They wait in memory, for what they say is of use for minutes only; with the process they are lost.
"""

import logging
import time
from collections.abc import Callable
from functools import partial
from threading import BoundedSemaphore, Thread

from svc.core import mail
from svc.core.errors import Refusal
from svc.core.settings import Settings

log = logging.getLogger(__name__)

PAUSES = (0, 2, 10, 60, 120, 240)  # seconds before each try; about seven minutes altogether
MOST_WAITING = 200
MOST_AT_ONCE = 4

room, lines = BoundedSemaphore(MOST_WAITING), BoundedSemaphore(MOST_AT_ONCE)


def post(settings: Settings, to: str, subject: str, text: str, given_up: Callable[[], None]) -> None:
    """Sends one plain-text mail in a thread of its own, in several tries; when all fail, calls `given_up`.

    Raises 503 `busy` while too many mails wait. Without a mail server the mail is a file, written at once.
    """
    send = partial(mail.send, settings, to, subject, text)
    if not settings.smtp_url:
        return send()
    if not room.acquire(blocking=False):
        raise Refusal("busy", "Too many mails are waiting to be sent.", hint="Try again in a minute.")
    return Thread(target=carry, args=(send, given_up), name="post", daemon=True).start()


def carry(send: Callable[[], None], given_up: Callable[[], None]) -> None:
    try:
        if not any(is_sent(send, pause) for pause in PAUSES):
            log.error("a mail is given up")
            given_up()
    except mail.UnsendableError as error:
        log.error("%s", error)
        given_up()
    finally:
        room.release()


def is_sent(send: Callable[[], None], pause: float) -> bool:
    time.sleep(pause)
    try:
        with lines:
            send()
    except mail.NotSentError as error:
        log.warning("%s", error)
        return False
    return True
