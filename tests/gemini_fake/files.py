"""The Files API: resumable uploads, states, two days of life."""

import base64
import hashlib
import re
import secrets
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from gemini_fake.question import measure
from gemini_fake.refusal import Refusal, no_file

LIFETIME = timedelta(hours=48)
NAME = re.compile(r"[a-z0-9-]{1,40}")
GRANULARITY = 262_144
UPLOAD_HEADERS = ("Protocol", "Command", "Header-Content-Length", "Header-Content-Type")
FAILS = "unreadable"  # a file of this display name ends FAILED


@dataclass
class Session:
    """One upload: what was declared, and what has come."""

    record: dict[str, Any]
    size: int
    data: bytearray = field(default_factory=bytearray)
    file: "File | None" = None


@dataclass
class File:
    record: dict[str, Any]
    data: bytes
    expires: datetime
    polls: int

    def json(self) -> dict[str, Any]:
        return {name: value for name, value in self.record.items() if value is not None}


class Files:
    """`polls`: how often a video is PROCESSING first. `ahead`: by how much the service's clock is ahead of ours."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}
        self.sessions: dict[str, Session] = {}
        self.polls, self.ahead = 1, timedelta()
        self.lock = threading.Lock()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def start(self, headers: dict[str, str], body: dict[str, Any]) -> str:
        """The id of a new session."""
        missing = [name for name in UPLOAD_HEADERS if f"x-goog-upload-{name.lower()}" not in headers]
        if missing or headers["x-goog-upload-command"] != "start":
            raise Refusal(400, "invalid_argument", f"Missing X-Goog-Upload-{'/'.join(missing)}.", front=True)
        record = body.get("file") or {}
        name = record.get("name", "").removeprefix("files/") or secrets.token_hex(6)
        if not NAME.fullmatch(name):
            raise Refusal(400, "invalid_argument", "The file name is malformed.", front=True)
        if name in self.files:
            raise Refusal(409, "already_exists", f"File {name} already exists.", front=True)
        mime = headers["x-goog-upload-header-content-type"]
        session = secrets.token_urlsafe(16)
        record = {"name": name, "displayName": record.get("display_name"), "mimeType": mime}
        self.sessions[session] = Session(record, int(headers["x-goog-upload-header-content-length"]))
        return session

    def take(self, session_id: str, headers: dict[str, str], data: bytes) -> tuple[dict[str, str], dict[str, Any]]:
        """The headers and body that answer one byte request."""
        session = self.sessions.get(session_id)
        if session is None:
            raise Refusal(404, "not_found", "No such upload.", front=True)
        command = headers.get("x-goog-upload-command", "")
        if command == "query":
            status = "final" if session.file else "active"
            received = {"X-Goog-Upload-Size-Received": str(len(session.data))}
            return {"X-Goog-Upload-Status": status, **received}, {}
        if command not in ("upload", "upload, finalize"):
            raise Refusal(400, "invalid_argument", "Unknown upload command.", front=True)
        if session.file or int(headers.get("x-goog-upload-offset", -1)) != len(session.data):
            raise Refusal(400, "invalid_argument", "The offset is not what has been received.", front=True)
        if command == "upload" and len(data) % GRANULARITY:
            raise Refusal(400, "invalid_argument", "The piece is not a multiple of the granularity.", front=True)
        session.data += data
        if command == "upload":
            return {"X-Goog-Upload-Status": "active"}, {}
        if len(session.data) != session.size:
            raise Refusal(400, "invalid_argument", "The length is not what was declared.", front=True)
        session.file = self.keep(session)
        return {"X-Goog-Upload-Status": "final"}, {"file": session.file.json()}

    def keep(self, session: Session) -> File:
        data, name, now = bytes(session.data), session.record["name"], self.now()
        digest = base64.b64encode(hashlib.sha256(data).hexdigest().encode()).decode()
        is_video = session.record["mimeType"].startswith("video/")
        record = session.record | {
            "name": f"files/{name}",
            "sizeBytes": str(len(data)),
            "createTime": stamp(now),
            "updateTime": stamp(now),
            "expirationTime": stamp(now + LIFETIME),
            "sha256Hash": digest,
            "uri": f"https://generativelanguage.googleapis.com/v1beta/files/{name}",
            "state": "PROCESSING" if is_video and self.polls else "ACTIVE",
            "source": "UPLOADED",
        }
        file = self.files[name] = File(record, data, now + LIFETIME, self.polls)
        if session.record["displayName"] == FAILS:
            record |= {"state": "FAILED", "error": {"code": 3, "message": "The file could not be processed."}}
        return file

    def get(self, name: str) -> File:
        """The file; 403 when it is missing or has expired, as the service says it."""
        file = self.files.get(name)
        if file is None or file.expires <= self.now():
            raise no_file(name)
        return file

    def poll(self, name: str) -> dict[str, Any]:
        with self.lock:
            file = self.get(name)
            answer = file.json()
            if file.record["state"] == "PROCESSING":
                file.polls -= 1
                if file.polls <= 0:
                    seconds, _ = measure("video", file.data)
                    file.record |= {"state": "ACTIVE", "videoMetadata": {"videoDuration": f"{seconds:.0f}s"}}
            return answer

    def page(self, size: int, token: str) -> dict[str, Any]:
        names = sorted(name for name, file in self.files.items() if file.expires > self.now())
        first = int(token or 0)
        page: dict[str, Any] = {"files": [self.files[name].json() for name in names[first : first + size]]}
        if first + size < len(names):
            page["nextPageToken"] = str(first + size)
        return page

    def delete(self, name: str) -> None:
        self.get(name)
        del self.files[name]

    def active(self, uri: str) -> File:
        """The file of a uri in a question."""
        file = self.get(uri.rsplit("/", 1)[-1])
        if file.record["state"] != "ACTIVE":
            raise Refusal(400, "failed_precondition", "The File is not in an ACTIVE state and usage is not allowed.")
        return file


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
