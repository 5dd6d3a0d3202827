"""Reads one request and judges it by its headers: what is refused here never has its body read.

Waitress hands a request to a thread only when the whole body is there, so a view could refuse a large
body only after it was received. This parser knows each route's rule and refuses as soon as the headers end.
"""

import re
import time
from collections.abc import Callable
from typing import Any

from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser, ParsingError

from svc.core.errors import Refusal
from svc.server.intake import MEMORY_BYTES, Intake

MaxBody = Callable[[str, str], tuple[int, bool]]
"""(method, path) -> (largest body in bytes, whether Content-Length is required)."""

# Chunk sizes and line ends are bytes too: one-byte chunks cost six bytes on the wire for each of the body.
CHUNK_OVERHEAD = 8
CHUNK_SLACK = 64 * 1024
CHUNK_LINE_BYTES = 4096
RETRY_SECONDS = 60
SLOT_SECONDS = 5
HOST = re.compile(r"[A-Za-z0-9._~%:\[\]-]*")


class Parser(HTTPRequestParser):
    command = path = request_uri = ""  # Waitress leaves them unset after a parse error
    max_body: int | None = None
    admitted = 0

    def __init__(self, adj: Adjustments, body_rule: MaxBody, intake: Intake, peer: str):
        super().__init__(adj)
        self.body_rule, self.intake, self.peer = body_rule, intake, peer
        self.give_back = lambda: None
        self.started = time.time()

    def refuse(self, refusal: Refusal) -> None:
        self.error, self.completed = refusal, True

    def received(self, data: bytes) -> int:
        """Bytes consumed. After a refusal that is all of them: what follows cannot be told from body bytes."""
        consumed = super().received(data)
        if self.headers_finished and not self.empty and self.max_body is None:
            self.judge_headers()
        elif self.chunked and not self.error:
            self.judge_chunks()
        if self.completed:
            self.give_back()  # it has arrived: from here on the view counts it, and ends before its answer
        if self.error or self.body_rcv is None:
            self.expect_continue = False  # never invite a body that is refused or absent
        return len(data) if self.error else consumed

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # an impossible address or a number of thousands of digits
            raise ParsingError(f"Malformed request: {error}") from error

    def judge_headers(self) -> None:
        self.max_body = 0
        if self.error:
            return
        self.max_body, needs_length = self.body_rule(self.command, self.path)
        if problem := self.malformed():
            self.refuse(Refusal("invalid_request", problem))
        elif needs_length and "CONTENT_LENGTH" not in self.headers:
            self.refuse(Refusal("length_required", "Content-Length is required."))
        elif self.content_length > self.max_body:
            self.refuse(too_large(self.max_body))
        elif needs_length and not self.takes_slot():
            self.refuse(
                Refusal(
                    "too_many_in_flight",
                    "Another upload of yours is still arriving.",
                    hint="Wait for it to end.",
                    retry_after=SLOT_SECONDS,
                )
            )
        else:
            self.announce(self.max_body if self.chunked else self.content_length)

    def takes_slot(self) -> bool:
        """Whether this uploader may send one more file just now."""
        give_back = self.intake.take_slot(self.peer, self.headers)
        if give_back:
            self.give_back = give_back
        return give_back is not None

    def announce(self, size: int) -> None:
        """A body that will go to the disk needs room there."""
        if size <= MEMORY_BYTES:
            return
        if self.intake.admit(size):
            self.admitted = size
        else:
            self.refuse(Refusal("busy", "There is no room for this body just now.", retry_after=RETRY_SECONDS))

    def close(self) -> None:
        super().close()
        self.intake.release(self.admitted)
        self.admitted = 0
        self.give_back()

    def malformed(self) -> str | None:
        """What RFC 9112 tells a server to refuse and Waitress lets through: each can hide a second request."""
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            return "Both Content-Length and Transfer-Encoding are given."
        if "TRANSFER_ENCODING" in self.headers:
            return "Transfer-Encoding needs HTTP/1.1."
        if self.version == "1.1" and "HOST" not in self.headers:
            return "The Host header is missing."
        if not HOST.fullmatch(self.headers.get("HOST", "")):
            return "The Host header is malformed."
        return None

    def judge_chunks(self) -> None:
        body: Any = self.body_rcv
        assert self.max_body is not None
        if len(body) > self.max_body or self.body_bytes_received > CHUNK_OVERHEAD * self.max_body + CHUNK_SLACK:
            self.refuse(too_large(self.max_body))
        elif len(body.control_line) > CHUNK_LINE_BYTES or len(body.trailer) > CHUNK_LINE_BYTES:
            self.refuse(Refusal("invalid_request", "A chunk header is too long."))


def too_large(max_body: int) -> Refusal:
    return Refusal("body_too_large", f"The body may have at most {max_body} bytes.")
