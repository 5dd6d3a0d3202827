"""Mail: by SMTP where it is set up, else as files in the data directory's `outbox`."""

import logging
import smtplib
import ssl
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from svc.core import clock
from svc.core.ids import make_id
from svc.core.settings import Settings

log = logging.getLogger(__name__)

SEND_SECONDS = 15
PORTS = {"smtp": 25, "smtps": 465}


class NotSentError(Exception):
    """The mail server did not take a mail; it may do so later."""


class UnsendableError(Exception):
    """No mail can be made of this: another try would change nothing."""


def send(settings: Settings, to: str, subject: str, text: str) -> None:
    """Sends one plain-text mail. Raises NotSentError or UnsendableError."""
    try:
        message = compose(settings, to, subject, text)
    except (MessageError, ValueError, IndexError) as error:  # what the email package says to a bad address
        raise UnsendableError(f"a mail could not be written: {error}") from error
    if not settings.smtp_url:
        return keep(settings, message)
    try:
        deliver(settings.smtp_url, message)
    except (OSError, ValueError, smtplib.SMTPException) as error:
        raise NotSentError(f"a mail could not be sent: {error}") from error
    return None


def compose(settings: Settings, to: str, subject: str, text: str) -> EmailMessage:
    host = urlsplit(settings.root).hostname or "localhost"
    message = EmailMessage()
    message["From"] = settings.mail_from or f"svc@{host}"
    message["To"] = Address(addr_spec=to)
    message["Subject"] = subject
    message["Date"] = formatdate(clock.now_ms() / 1000)
    message["Message-ID"] = make_msgid(domain=host)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    return message


def keep(settings: Settings, message: EmailMessage) -> None:
    path = settings.folder("outbox") / f"{clock.now_ms()}-{make_id('mail')}.eml"
    path.write_bytes(bytes(message))
    log.warning("no mail server is set up; a mail was written to %s", path)


def forget(settings: Settings, address: str) -> None:
    """Removes the mails to an address that were written to the outbox."""
    for path in settings.folder("outbox").glob("*.eml"):
        if f"To: {address}".encode() in path.read_bytes().splitlines():
            path.unlink(missing_ok=True)


def deliver(url: str, message: EmailMessage) -> None:
    """By `smtp://user:pass@host:port`, with TLS when the server offers it, or `smtps://…`, with TLS from the start."""
    parts = urlsplit(url)
    secure = ssl.create_default_context()
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=SEND_SECONDS, context=secure)
    else:
        server = smtplib.SMTP(host, port, timeout=SEND_SECONDS)
    with server:
        if parts.scheme == "smtp" and server.ehlo()[0] == 250 and server.has_extn("starttls"):
            server.starttls(context=secure)
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        server.send_message(message)
