"""Jobs as requests and workers leave them, without a server: for tests of what happens to them later."""

from svc.accounts.caller import Caller
from svc.core import clock
from svc.core.errors import EngineError
from svc.engine.facts import Facts
from svc.jobs import create, finish
from svc.jobs.claim import claim_next
from svc.jobs.models import Job, StoredLayer, Upload
from svc.jobs.results import result_path, work_folder
from svc.jobs.stored import layer_path
from svc.jobs.uploads import upload_path

LINK = Facts(
    {"kind": "url", "provider": "site", "url": "http://x/"}, {"title": "A talk"}, "site:1", 60.0, has_audio=True
)
FILE = Facts({"kind": "file", "provider": "local", "fileName": "a.wav"}, {}, "local:1", 60.0, has_audio=True)
CONTEXT = {
    "meta": {"durationSeconds": 60},
    "synthesis": None,
    "transcript": None,
    "tiers": [{"tier": "audio", "status": "ok"}],
    "usage": {"usdEstimate": 0, "audioSeconds": 0},
    "warnings": [],
}


def anonymous(settings) -> Caller:
    return Caller("anon:1", "anonymous", settings.limits.anonymous)


def uploaded(settings, caller, size=10) -> Upload:
    now = clock.now_ms()
    upload_id = create.make_id("upl")
    upload_path(settings, upload_id).write_bytes(b"x" * size)
    expires = now + settings.limits.service.upload_ttl_seconds * 1000
    return Upload.create(
        id=upload_id, owner=caller.owner, bytes=size, facts=FILE.to_json(), created_at=now, expires_at=expires
    )


def queued(settings, caller, upload=None) -> Job:
    """A job of a link, or of an upload."""
    source = {"upload_id": upload.id} if upload else {"url": "http://x/"}
    body = {**source, "mode": "audio"}
    request = create.wanted(body, caller)
    job, quoted = create.quoted_job(settings, caller, body, request, FILE if upload else LINK)
    create.save(settings, caller, job, quoted, upload, (job.id, body))
    return job


def running(settings, caller, upload=None) -> Job:
    """A job that a worker has taken; something of it lies in its folder."""
    queued(settings, caller, upload)
    job = claim_next()
    work_folder(settings, job).mkdir(parents=True, exist_ok=True)
    (work_folder(settings, job) / "part").write_text("abc")
    return job


def failed(settings, caller, upload=None) -> Job:
    job = running(settings, caller, upload)
    finish.fail(job, EngineError("NETWORK", stage="download"))
    return Job.get_by_id(job.id)


def succeeded(settings, caller, upload=None, result='{"id": "x"}') -> Job:
    """A job with a result; of an upload also with a stored layer of four bytes."""
    queued(settings, caller, upload)
    job = claim_next()
    result_path(settings, job.id).write_text(result)
    stored(settings, job.content_id, job.id)
    assert finish.succeed(settings, job, CONTEXT, {"type": "done", "runId": job.id, "t": clock.now_ms()})
    return Job.get_by_id(job.id)


def stored(settings, content_id, key) -> StoredLayer:
    layer_path(settings, key).write_text("null")
    now = clock.now_ms()
    return StoredLayer.create(key=key, content_id=content_id, layer="audio", bytes=4, created_at=now, used_at=now)
