"""Files that a model is to see: uploaded in pieces, awaited, used, and deleted again.

The name of a file is chosen here and noted in the run's folder before it is sent, so that whatever a killed run leaves
behind at the provider can be found and deleted (`forget`).
"""

import logging
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx

from svc.core.errors import EngineError
from svc.engine.models import upstream
from svc.engine.models.gemini.api import VERSION, Api, connect
from svc.engine.models.gemini.faults import FileGone, error_of
from svc.engine.models.gemini.sse import decoded
from svc.engine.request import Config

log = logging.getLogger(__name__)

PIECE_BYTES = 8 << 20  # a multiple of the 256 KiB that the server asks for
POLL_SECONDS = 1.0
READY_SECONDS = 300.0  # the longest a file may take to be ready
DELETE_WAITS = (1.0,)
DELETE_SECONDS = 10.0
NAME = re.compile(r"[\w-]+")
GONE = (403, 404)  # what the server says of a file that is not there

Result = TypeVar("Result")


def ledger(work_dir: Path | str) -> Path:
    """The folder with one empty file for each file at the provider, named as it is there."""
    return Path(work_dir) / "uploads"


class Upload:
    """A file at the provider: uploaded when it is first used, again when it has expired, deleted at the end.

    `with Upload(api, path, "video/mp4") as upload: answer = upload.use(lambda uri: ask_about(uri))`
    """

    def __init__(self, api: Api, path: Path, mime: str):
        self.api, self.path, self.mime = api, path, mime
        self.name = self.uri = ""

    def __enter__(self) -> "Upload":
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()

    def use(self, ask: Callable[[str], Result]) -> Result:
        if self.uri:
            try:
                return ask(self.uri)
            except FileGone:
                log.info("file %s has expired", self.name)
        self.delete()
        self.uri = self.send()
        return ask(self.uri)

    def send(self) -> str:
        """The address of the file, once it can be used."""
        self.note(f"svc-{secrets.token_hex(12)}")
        sending = Sending(self.api, self.path, self.mime, self.name)
        file = upstream.retrying(self.api.run, sending.attempt)
        self.note(str(file.get("name", self.name)).removeprefix("files/"))
        return self.ready(file)["uri"]

    def note(self, name: str) -> None:
        """Puts the file's name into the ledger, in place of the one that was to be its name."""
        if not NAME.fullmatch(name):
            raise EngineError("PROVIDER_PROTOCOL", "The model provider names the file in an unknown way.")
        folder = ledger(self.api.run.folder)
        folder.mkdir(exist_ok=True)
        (folder / name).touch()
        if self.name not in ("", name):
            (folder / self.name).unlink(missing_ok=True)
        self.name = name

    def look(self) -> dict[str, Any]:
        return look(self.api, self.name)

    def ready(self, file: dict[str, Any]) -> dict[str, Any]:
        """The file once the provider has made it ready. Raises PROVIDER_PROTOCOL when it cannot."""
        deadline = time.monotonic() + READY_SECONDS
        while file.get("state") == "PROCESSING":
            if time.monotonic() > deadline:
                raise EngineError("TIMEOUT", "The model provider took too long to prepare the file.")
            time.sleep(POLL_SECONDS)
            file = upstream.retrying(self.api.run, self.look)
        if file.get("state") != "ACTIVE" or "uri" not in file:
            raise EngineError("PROVIDER_PROTOCOL", "The model provider cannot read this file.")
        return file

    def delete(self) -> None:
        """Never raises: what cannot be deleted now stays in the ledger, and the provider drops it after two days."""
        name, self.name, self.uri = self.name, "", ""
        if not name:
            return
        try:
            upstream.retrying(self.api.run, lambda: delete(self.api.client, self.api.key, name), DELETE_WAITS)
        except EngineError as error:
            log.warning("file %s stays at the provider: %s", name, error)
        else:
            (ledger(self.api.run.folder) / name).unlink(missing_ok=True)


class Sending:
    """One upload by the resumable protocol. `attempt` begins it, or goes on where the server says it stopped."""

    def __init__(self, api: Api, path: Path, mime: str, name: str):
        self.api, self.path, self.mime, self.name = api, path, mime, name
        self.size = path.stat().st_size
        self.session: str | None = None

    def attempt(self) -> dict[str, Any]:
        """The finished file's record."""
        status, received = self.query() if self.session else ("", 0)
        if status == "final":  # and the answer that said so was lost
            return look(self.api, self.name)
        if status != "active":
            self.session, received = self.begin(), 0
        return self.send_from(self.session or "", received)

    def begin(self) -> str:
        """The address that the bytes go to."""
        headers = self.api.key | {
            "X-Goog-Upload-Protocol": "resumable",
            "X-Goog-Upload-Command": "start",
            "X-Goog-Upload-Header-Content-Length": str(self.size),
            "X-Goog-Upload-Header-Content-Type": self.mime,
        }
        file = {"name": f"files/{self.name}", "mime_type": self.mime, "size_bytes": self.size}
        response = self.api.client.post(f"/upload/{VERSION}/files", headers=headers, json={"file": file})
        json_of(response)
        if not (session := response.headers.get("x-goog-upload-url")):
            raise EngineError("PROVIDER_PROTOCOL", "The model provider names no address to upload to.")
        return session

    def query(self) -> tuple[str, int]:
        """The upload's status, and how many bytes have arrived; no status when the server has forgotten it."""
        response = self.api.client.post(self.session or "", headers={"X-Goog-Upload-Command": "query"})
        status = response.headers.get("x-goog-upload-status", "") if response.is_success else ""
        return status, int(response.headers.get("x-goog-upload-size-received", 0))

    def send_from(self, session: str, offset: int) -> dict[str, Any]:
        """Sends the rest a piece at a time; the finished file's record. The session is its own credential."""
        with self.path.open("rb") as file:
            while True:
                file.seek(offset)
                piece = file.read(PIECE_BYTES)
                last = offset + len(piece) >= self.size
                headers = {
                    "X-Goog-Upload-Offset": str(offset),
                    "X-Goog-Upload-Command": "upload, finalize" if last else "upload",
                }
                answer = json_of(self.api.client.post(session, headers=headers, content=piece))
                if last:
                    return answer.get("file") or {}
                offset += len(piece)


def look(api: Api, name: str) -> dict[str, Any]:
    """The record of a file."""
    return json_of(api.client.get(f"/{VERSION}/files/{name}", headers=api.key))


def json_of(response: httpx.Response) -> dict[str, Any]:
    """The JSON object of a response; nothing of one without a body. Raises what `error_of` makes of a refusal."""
    if not response.is_success:
        raise error_of(response)
    return decoded(response.text) if response.content else {}


def delete(client: httpx.Client, key: dict[str, str], name: str) -> None:
    response = client.delete(f"/{VERSION}/files/{name}", headers=key, timeout=DELETE_SECONDS)
    if not response.is_success and response.status_code not in GONE:
        raise error_of(response)


def forget(config: Config) -> None:
    """Deletes every file in the ledger of a run's folder, as far as the provider can be reached."""
    client, key = connect(config.gemini)
    with client:
        for entry in ledger(config.work_dir).iterdir():
            try:
                with upstream.engine_errors():
                    delete(client, key, entry.name)
            except EngineError as error:
                log.warning("file %s stays at the provider: %s", entry.name, error)
                return
            entry.unlink(missing_ok=True)
