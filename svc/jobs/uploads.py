"""Uploaded files: stored for an hour, judged by their content, bound to one job each."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any
from urllib.parse import unquote

import peewee

from svc.accounts.caller import Caller
from svc.core import clock
from svc.core.database import db
from svc.core.errors import EngineError, Refusal
from svc.core.ids import UPLOAD_ID, make_id
from svc.core.ratelimit import RateLimit
from svc.core.settings import Settings
from svc.core.slots import Slots
from svc.engine.facts import Facts
from svc.engine.request import Request
from svc.jobs.models import ENDED, Job, Upload

CHUNK = 1 << 20
FILE_NAME_CHARACTERS = 255
MAX_IN_FLIGHT = 32

requests = RateLimit(seconds=60)
in_flight = Slots()


def upload_path(settings: Settings, upload_id: str) -> Path:
    return settings.folder("uploads") / upload_id


def receive(settings: Settings, caller: Caller, body: IO[bytes], length: int | None, name: str | None) -> Upload:
    """Stores a body, of `length` bytes where that is known, that a probe recognises as media. Raises Refusal."""
    count_work(caller)
    check_room(caller)
    upload_id = make_id("upl")
    path = upload_path(settings, upload_id)
    with one_in_flight(caller), removed_on_error(path):
        size = store(body, length, path)
        facts = judge(settings, path, name)
        now = clock.now_ms()
        with db.atomic():
            make_room(settings, caller)
            return Upload.create(
                id=upload_id,
                owner=caller.owner,
                bytes=size,
                file_name=name,
                mime=facts.mime,
                facts=facts.to_json(),
                created_at=now,
                expires_at=now + settings.limits.service.upload_ttl_seconds * 1000,
            )


def count_work(caller: Caller) -> None:
    """429 `rate_limited` when the caller asks for work too often: jobs, uploads and questions together."""
    wait = requests.wait(caller.owner, caller.limits.requests_per_minute)
    if wait:
        raise Refusal("rate_limited", "Too many requests.", retry_after=int(wait) + 1)


def check_room(caller: Caller) -> None:
    """429 `too_many_uploads` when the caller's uploads that no job was started with are as many as may wait."""
    if unbound(caller).where(~was_tried(caller)).count() >= caller.limits.uploads_waiting:
        raise Refusal(
            "too_many_uploads", "Too many uploads are waiting to be used.", hint="Start a job with one first."
        )


def make_room(settings: Settings, caller: Caller) -> None:
    """Uploads of failed and canceled jobs stay for a retry while there is room: the oldest go for a new one."""
    surplus = unbound(caller).count() - caller.limits.uploads_waiting + 1
    if surplus > 0:
        for upload in list(unbound(caller).where(was_tried(caller)).order_by(Upload.created_at).limit(surplus)):
            remove(settings, upload)


def unbound(caller: Caller) -> "peewee.ModelSelect[Upload]":
    """The caller's uploads that a job may be started with."""
    return Upload.select().where(
        (Upload.owner == caller.owner) & Upload.job_id.is_null() & (Upload.expires_at > clock.now_ms())
    )


def was_tried(caller: Caller) -> peewee.Function:
    """A condition on the caller's uploads: a job was started with it already."""
    return peewee.fn.EXISTS(jobs_with(caller.owner, Upload.id))


def jobs_with(owner: str, upload_id: Any) -> "peewee.ModelSelect[Job]":
    """An owner's ended jobs of an upload, found by the index of owners and states."""
    return Job.select(Job.id).where((Job.owner == owner) & Job.status.in_(ENDED) & (Job.upload_id == upload_id))


@contextmanager
def one_in_flight(caller: Caller) -> Iterator[None]:
    done = in_flight.take(caller.owner, caller.limits.uploads_in_flight, MAX_IN_FLIGHT)
    if done is None:
        raise Refusal("too_many_in_flight", "Another upload of yours is still arriving.", hint="Wait for it to end.")
    try:
        yield
    finally:
        done()


@contextmanager
def removed_on_error(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def store(body: IO[bytes], length: int | None, path: Path) -> int:
    """Writes the body to disk; the bytes written. A short body is 400 `length_mismatch`."""
    got = 0
    with path.open("wb") as file:
        while data := body.read(CHUNK):
            got += len(data)
            file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if length not in (None, got):
        raise Refusal("length_mismatch", f"The body has {got} bytes, Content-Length says {length}.")
    return got


def judge(settings: Settings, path: Path, name: str | None) -> Facts:
    """What the file is, found out in a process with limits; anything but media is 415."""
    from svc.jobs.engine_calls import find_facts

    request = Request(kind="file", location=str(path), file_name=name)
    try:
        with TemporaryDirectory(dir=settings.folder("work")) as folder:
            return find_facts(settings, request, Path(folder))
    except EngineError as error:
        if error.row.status != 422:
            raise
        raise Refusal("unsupported_media", error.message, engineCode=error.code, hint=error.row.hint or "") from error


def file_name(header: str | None) -> str | None:
    """The original name from its URL-encoded header: the last path part, without control characters."""
    if not header:
        return None
    name = unquote(as_utf8(header)).replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in name if c.isprintable())[:FILE_NAME_CHARACTERS].strip() or None


def as_utf8(header: str) -> str:
    """A header's text: WSGI reads its bytes as Latin-1, but clients that do not encode a name send UTF-8."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def upload_json(upload: Upload) -> dict[str, Any]:
    return {
        "upload_id": upload.id,
        "bytes": upload.bytes,
        "has_audio": bool(upload.facts["has_audio"]),
        "has_video": bool(upload.facts["has_video"]),
        "expires_at": upload.expires_at,
        "duration_seconds": upload.facts["duration"],
        "file_name": upload.file_name,
        "mime": upload.mime,
    }


def usable(caller: Caller, upload_id: str) -> Upload:
    """The caller's upload, if a job may still be started with it. Raises 404, 409 or 410."""
    upload = Upload.get_or_none(id=upload_id) if UPLOAD_ID.fullmatch(upload_id) else None
    if upload is None or upload.owner != caller.owner:
        raise Refusal("upload_not_found", "There is no such upload.")
    if upload.job_id:
        raise Refusal("upload_in_use", "This upload belongs to another job.")
    if upload.expires_at <= clock.now_ms():
        raise Refusal("upload_expired", "This upload is older than an hour.", hint="Upload the file again.")
    return upload


def erase_unused(settings: Settings, upload: Upload) -> None:
    """Removes the file of an expired upload, unless a job was bound to it meanwhile. The row stays, to answer 410."""
    with db.atomic():
        if Upload.select().where((Upload.id == upload.id) & Upload.job_id.is_null()).exists():
            upload_path(settings, upload.id).unlink(missing_ok=True)


def remove_with(settings: Settings, job: Job) -> None:
    """Removes the upload of an ended job that is erased, unless another job has it or may be tried again with it."""
    with db.atomic():
        upload = Upload.get_or_none(id=job.upload_id) if job.upload_id else None
        others = jobs_with(job.owner, job.upload_id).where(Job.id != job.id)
        if upload and upload.job_id in (None, job.id) and not others.exists():
            remove(settings, upload)


def remove(settings: Settings, upload: Upload) -> None:
    """Removes an upload, unless a job was bound to it meanwhile. The file goes first: a row alone is swept again."""
    with db.atomic():
        if Upload.delete().where((Upload.id == upload.id) & (Upload.job_id == upload.job_id)).execute():
            upload_path(settings, upload.id).unlink(missing_ok=True)
