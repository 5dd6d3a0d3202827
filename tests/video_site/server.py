"""A threaded HTTP server whose answers are set from the test, and which counts what was asked."""

import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit


@dataclass
class Answer:
    """What to send. `chunks` instead of `body` sends pieces without a length until the client hangs up."""

    body: bytes | str = b""
    type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    chunks: Callable[[], Iterator[bytes]] | None = None
    pause: float = 0.0
    ranges: bool = False


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    server: "Listener"

    def do_GET(self) -> None:  # noqa: N802
        path = urlsplit(self.path).path
        self.server.site.hits[path] += 1
        self.server.site.requests.append((self.command, self.path, dict(self.headers)))
        answer = self.server.site.answer(path, self)
        try:
            self.send(answer)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_HEAD = do_POST = do_GET  # noqa: N815

    def send(self, answer: Answer) -> None:
        time.sleep(answer.pause)
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        status, headers = answer.status, dict(answer.headers)
        if answer.ranges and status == 200:
            headers["Accept-Ranges"] = "bytes"
            if span := requested_range(self.headers.get("Range"), len(body)):
                first, last = span
                status, headers["Content-Range"] = 206, f"bytes {first}-{last}/{len(body)}"
                body = body[first : last + 1]
        self.send_response(status)
        self.send_header("Content-Type", answer.type)
        if not answer.chunks:
            self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            for piece in answer.chunks() if answer.chunks else [body]:
                self.wfile.write(piece)

    def log_message(self, *_: object) -> None:
        pass


def requested_range(header: str | None, length: int) -> tuple[int, int] | None:
    """First and last byte of a single range, or None."""
    if not header or not header.startswith("bytes=") or "," in header:
        return None
    first, _, last = header.removeprefix("bytes=").partition("-")
    if not first:
        return max(0, length - int(last)), length - 1
    return (int(first), min(int(last or length - 1), length - 1)) if int(first) < length else None


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    site: "Server"

    def handle_error(self, *_: object) -> None:
        pass


class Server:
    """`hits` counts requests by path; `requests` lists them with their headers; `serve` sets an answer."""

    scheme = "http"

    def __init__(self, host: str = "127.0.0.2"):
        self.host, self.hits, self.requests = host, Counter[str](), list[tuple[str, str, dict[str, str]]]()
        self.answers: dict[str, Answer | Callable[[Handler], Answer]] = {}
        self._listener = Listener((host, 0), Handler)
        self._listener.site = self
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return self._listener.server_address[1]

    @property
    def allow(self) -> str:
        """The entry of `Config.allow_hosts` that lets links reach this server and nothing else."""
        return f"{self.host}:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"{self.scheme}://{self.host}:{self.port}{path}"

    def serve(self, path: str, body: bytes | str = b"", type: str = "text/html; charset=utf-8", **more: object) -> str:
        """Sets the answer for a path and gives its URL. `more` are the fields of `Answer`."""
        self.answers[path] = Answer(body, type, **more)  # type: ignore[arg-type]
        return self.url(path)

    def use_tls(self, certificate: Path, key: Path) -> None:
        """Speaks https from now on. To be called before the server starts."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._listener.socket = context.wrap_socket(self._listener.socket, server_side=True)
        self.scheme = "https"

    def answer(self, path: str, request: Handler) -> Answer:
        found = self.answers.get(path) or Answer("<html><body>not here</body></html>", status=404)
        return found if isinstance(found, Answer) else found(request)

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join()
