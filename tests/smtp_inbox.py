"""A real SMTP server for tests: asks for a password and keeps what it receives."""

import socket
import time
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

PATIENCE_SECONDS = 20
USER, PASSWORD = b"svc", b"p@ss:word"


class Inbox:
    """An SMTP server with a password; `mails` are what it has received."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.mails = []

    def start(self):
        self.server = Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            authenticator=self.check,
            auth_required=True,
            auth_require_tls=False,
        )
        self.server.start()

    def stop(self):
        self.server.stop()

    def check(self, server, session, envelope, mechanism, login):
        return AuthResult(success=login == LoginPassword(USER, PASSWORD))

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        self.mails.append(envelope)
        return "250 OK"

    @property
    def url(self):
        """What SVC_SMTP_URL has to be."""
        return f"smtp://svc:p%40ss%3Aword@127.0.0.1:{self.port}"

    def mail_to(self, address):
        """The newest mail to this address."""
        return parsed(next(envelope for envelope in reversed(self.mails) if envelope.rcpt_tos == [address]))

    def take(self, address):
        """The next mail to this address, as soon as it comes. It is taken out."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            for envelope in self.mails:
                if envelope.rcpt_tos == [address]:
                    self.mails.remove(envelope)
                    return parsed(envelope)
            time.sleep(0.02)
        raise AssertionError(f"no mail came for {address}")


def parsed(envelope):
    return message_from_bytes(envelope.content, policy=policy.default)
