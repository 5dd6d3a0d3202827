"""The HTTP side: paths, the key, faults, and the record of requests."""

import json
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from gemini_fake import stream
from gemini_fake.faults import BAD_KEY, Fault
from gemini_fake.files import GRANULARITY
from gemini_fake.refusal import Refusal

if TYPE_CHECKING:
    from gemini_fake.service import GeminiFake

KEY_HEADER = "x-goog-api-key"


@dataclass
class Received:
    """One request: `body` is parsed JSON, or bytes. `headers` are in lower case, the key left out."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


class Raw(Exception):
    """A fault in place of an answer."""

    def __init__(self, fault: Fault):
        self.fault = fault


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    gemini: "GeminiFake"

    def handle_error(self, *_: object) -> None:
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    server: Listener

    @property
    def gemini(self) -> "GeminiFake":
        return self.server.gemini

    def do_POST(self) -> None:  # noqa: N802
        try:
            self.serve()
        except Refusal as refusal:
            self.send_json(refusal.status, refusal.body())
        except Raw as raw:
            self.send_fault(raw.fault)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_DELETE = do_POST  # noqa: N815

    def serve(self) -> None:
        parts = urlsplit(self.path)
        self.fields = {name.lower(): value for name, value in self.headers.items()}
        self.query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        data = self.rfile.read(int(self.fields.get("content-length", 0)))
        is_json = "json" in self.fields.get("content-type", "") and data[:1] in (b"{", b"[")
        body = json.loads(data) if is_json else data
        shown = {name: value for name, value in self.fields.items() if name != KEY_HEADER}
        self.gemini.requests.append(Received(self.command, parts.path, self.query, shown, body))
        if not parts.path.startswith(self.gemini.prefix):
            raise Refusal(404, "not_found", "There is nothing here.")
        self.route(parts.path.removeprefix(self.gemini.prefix).strip("/").split("/"), body)

    def route(self, path: list[str], body: Any) -> None:
        upload, path = path[0] == "upload", path[1:] if path[0] == "upload" else path
        if path[0] not in ("v1", "v1beta"):
            raise Refusal(404, "not_found", "There is nothing here.")
        if upload and "upload_id" in self.query:
            self.take_bytes(body)
            return
        self.check_key()
        if upload and self.command == "POST" and path[1:] == ["files"]:
            self.start_upload(path[0], body)
        elif path[1] == "files":
            self.serve_files(path[2:])
        elif path[1] == "interactions":
            self.serve_interactions(path[2:], body)
        else:
            raise Refusal(404, "not_found", "There is nothing here.")

    def check_key(self) -> None:
        if self.fields.get(KEY_HEADER) == self.gemini.key:
            return
        if self.gemini.auth_shape:
            raise Raw(BAD_KEY)
        raise Refusal(401, "authentication", "The API key is missing or wrong.")

    def failing(self, where: str) -> Fault:
        """The fault of this request. One that takes the answer's place is raised."""
        fault = self.gemini.next_fault(where)
        time.sleep(fault.wait)
        if fault.status or fault.cut == 0:
            raise Raw(fault)
        return fault

    def start_upload(self, version: str, body: dict[str, Any]) -> None:
        self.failing("upload")
        session = self.gemini.files.start(self.fields, body)
        url = f"{self.gemini.base_url}/upload/{version}/files?upload_id={session}&upload_protocol=resumable"
        headers = {"X-Goog-Upload-URL": url, "X-Goog-Upload-Status": "active"}
        self.send_json(200, {}, headers | {"X-Goog-Upload-Chunk-Granularity": str(GRANULARITY)})

    def take_bytes(self, data: bytes) -> None:
        """Needs no key: the session is the credential."""
        fault = self.gemini.next_fault("bytes")
        if fault.status:
            raise Raw(fault)
        headers, body = self.gemini.files.take(self.query["upload_id"], self.fields, data)
        if fault.cut == 0:
            raise Raw(fault)
        self.send_json(200, body, headers)

    def serve_files(self, path: list[str]) -> None:
        self.failing("files")
        files = self.gemini.files
        if self.command == "GET" and not path:
            self.send_json(200, files.page(int(self.query.get("pageSize", 10)), self.query.get("pageToken", "")))
        elif self.command == "GET":
            self.send_json(200, files.poll(path[0]))
        elif self.command == "DELETE":
            files.delete(path[0])
            self.send_json(200, {})

    def serve_interactions(self, path: list[str], body: Any) -> None:
        gemini = self.gemini
        if self.command == "POST" and not path:
            fault = self.failing("interactions")
            stored = gemini.create(body, fault)
            if body.get("stream"):
                self.send_stream(stored.events, fault)
            else:
                self.send_json(200, gemini.look(stored), cut=fault.cut)
        elif self.command == "POST" and path[1:] == ["cancel"]:
            self.send_json(200, gemini.cancel(gemini.stored(path[0])))
        elif self.command == "DELETE":
            gemini.delete(path[0])
            self.send_json(200, {})
        elif self.query.get("stream") == "true":
            found = gemini.stored(path[0]).events
            last = self.query.get("last_event_id")
            first = next((i for i, event in enumerate(found, 1) if event["event_id"] == last), 0)
            self.send_stream(found[first:], Fault())
        else:
            self.send_json(200, gemini.look(gemini.stored(path[0])))

    def send_stream(self, events: list[dict[str, Any]], fault: Fault) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        sent = 0
        for piece in stream.encoded(events, fault):
            if fault.cut is not None and sent >= fault.cut:
                self.hang_up()
                return
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            sent += len(piece)
            if self.gemini.pace:
                self.wfile.flush()
                time.sleep(self.gemini.pace)
        self.wfile.write(b"0\r\n\r\n")

    def send_json(self, status: int, body: Any, headers: dict[str, str] | None = None, cut: int | None = None) -> None:
        more = {"Content-Type": "application/json; charset=UTF-8", **(headers or {})}
        self.send_bytes(status, json.dumps(body, ensure_ascii=False).encode(), more, cut)

    def send_bytes(self, status: int, data: bytes, headers: dict[str, str], cut: int | None = None) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[:cut])
        if cut is not None:
            self.hang_up()

    def send_fault(self, fault: Fault) -> None:
        if fault.status:
            self.send_bytes(fault.status, fault.body, {"Content-Type": "application/json"} | fault.headers)
        else:
            self.hang_up()

    def hang_up(self) -> None:
        self.wfile.flush()
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass
