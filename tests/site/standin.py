"""The API as the pages see it: contract-shaped answers from memory, over real HTTP."""

import json
import threading
import time
from typing import Any

from flask import Blueprint, Response, jsonify, request

JOB = "job_" + "A" * 22
UPLOAD = "upl_" + "A" * 22
HOUR_MS = 3_600_000
LINES = (
    ("S1", "Welcome back to the harbour report.", "Today we look at the new lighthouse."),
    ("S2", "Thank you. It was finished last week.", "The lamp reaches twenty nautical miles."),
    ("S1", "And what did it cost?", "People in town have asked."),
    ("S2", "Less than planned, about two million.", "The old stones were used again."),
)


def make_context(**changes: Any) -> dict[str, Any]:
    """A Context of a spoken file: two speakers, two chapters."""
    texts = [(speaker, text) for speaker, *texts in LINES for text in texts]
    segments = [
        {"start": i * 5.0, "end": i * 5.0 + 4.8, "speaker": speaker, "text": text}
        for i, (speaker, text) in enumerate(texts)
    ]
    context = {
        "schema": 1,
        "id": "local:abc",
        "source": {"kind": "file", "provider": "local", "fileName": "harbour.mp3", "fileBytes": 320000},
        "meta": {"title": "Harbour report", "durationSeconds": 40.0, "language": "en", "hasAudio": True},
        "transcript": {
            "origin": "asr",
            "timing": "word",
            "language": "en",
            "diarized": True,
            "speakers": [{"id": "S1", "seconds": 20, "wordCount": 22}, {"id": "S2", "seconds": 20, "wordCount": 25}],
            "segments": segments,
            "text": " ".join(segment["text"] for segment in segments),
        },
        "visual": None,
        "synthesis": {
            "title": "Harbour report",
            "summary": {"tldr": "A new lighthouse is ready.", "bullets": ["It is finished.", "It cost two million."]},
            "chapters": [
                {"start": 0.0, "end": 20.0, "title": "The lighthouse", "anchor": 0, "summary": "What was built."},
                {"start": 20.0, "end": 40.0, "title": "The cost", "anchor": 4},
            ],
            "keyMoments": [{"time": 15.0, "label": "Twenty nautical miles", "kind": "claim", "segmentIndex": 3}],
            "entities": [{"name": "Harbour", "kind": "place", "mentions": 1}],
            "topics": ["lighthouse"],
        },
        "coverage": {"speechSeconds": 38.4, "transcribedSeconds": 38.4, "ratio": 1.0, "gaps": []},
        "tiers": [],
        "warnings": [],
        "usage": {},
        "produced": {"mode": "audio", "engine": "1", "models": {"asr": "small"}},
    }
    return context | changes


def make_error(code: str, message: str, **fields: Any) -> dict[str, Any]:
    return {"code": code, "message": message, "retryable": False, "scope": "job", "stage": "download"} | fields


def make_account(**usage: float) -> dict[str, Any]:
    """The Account record of somebody signed in, on the plan `pro`."""
    now = int(time.time() * 1000)
    amounts = {"includedRemaining": 450, "minutesUsed": 150, "minutesTopup": 0} | usage
    return {
        "anonymous": False,
        "plan": "pro",
        "entitlement": {"minutesIncluded": 600, "planUntil": None, "captionCredits": 0},
        "limits": {"apiKeys": {"active": 0, "max": 10}},
        "usage": {**amounts, "periodEnd": now + 240 * HOUR_MS},
        "user": {"id": "usr_1", "email": "grace@example.org", "name": None},
    }


def make_key(number: int, name: str = "laptop", scopes: str = "all", days: int | None = None) -> dict[str, Any]:
    now = int(time.time() * 1000)
    return {
        "id": f"key_{number}",
        "prefix": "svc_live_AbCd",
        "last4": f"{number:04}",
        "name": name,
        "scopes": scopes,
        "createdAt": now,
        "createdVia": "dashboard",
        "deviceLabel": None,
        "expiresAt": now + days * 24 * HOUR_MS if days else None,
        "lastUsedAt": None,
    }


class StandIn:
    """Holds jobs, their events and the refusals that a test asks for; `calls` are the requests that came."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.reset()

    def reset(self) -> None:
        self.jobs: dict[str, dict[str, Any]] = {}
        self.events: dict[str, list[dict[str, Any]]] = {}
        self.refusals: dict[str, tuple[int, dict[str, Any]]] = {}
        self.calls: list[tuple[str, dict[str, str], Any]] = []
        self.breaks = 0
        self.account: dict[str, Any] | None = make_account()
        self.keys: list[dict[str, Any]] = []

    def add_job(self, status: str, job_id: str = JOB, **changes: Any) -> str:
        now = int(time.time() * 1000)
        job = {
            "job_id": job_id,
            "status": status,
            "mode": "auto",
            "input": {"kind": "url", "url": "https://example.org/harbour.mp3"},
            "progress": None,
            "estimate": {"minutes": 0.667, "media_seconds": 40, "tiers": ["audio", "synthesis"], "cached": False},
            "cache_hit": None,
            "minutes_charged": None,
            "result": None,
            "error": None,
            "cancel_requested": False,
            "created_at": now,
            "expires_at": now + 24 * HOUR_MS,
        }
        if status == "succeeded":
            job |= {"result": make_context(), "cache_hit": False, "minutes_charged": 0.667}
        self.jobs[job_id] = job | changes
        self.events.setdefault(job_id, [])
        return job_id

    def emit(self, type: str, job_id: str = JOB, **fields: Any) -> None:
        with self.changed:
            self.events[job_id].append({"type": type, "runId": job_id, "t": 0, **fields})
            self.changed.notify_all()

    def finish(self, type: str, status: str, job_id: str = JOB, **changes: Any) -> None:
        """Ends a job as the service does: the row first, then its last event."""
        self.add_job(status, job_id, **changes)
        self.emit(type, job_id, **(changes.get("error") or {}))

    def refuse(self, call: str, status: int, code: str, message: str, **fields: Any) -> None:
        """Answers `call` ("POST /context") with this error until `reset`."""
        self.refusals[call] = (status, {"code": code, "message": message, **fields})

    def break_streams(self) -> None:
        with self.changed:
            self.breaks += 1
            self.changed.notify_all()

    def stream(self, job_id: str, last: int) -> Any:
        breaks = self.breaks
        yield "retry: 100\n\n"
        while self.breaks == breaks:
            with self.changed:
                new = self.events.get(job_id, [])[last:]
                if not new and not self.changed.wait(5):
                    yield ": ping\n\n"
            for event in new:
                last += 1
                yield f"id: {last}\nevent: {event['type']}\ndata: {json.dumps(event)}\n\n"
                if event["type"] in ("done", "error"):
                    return


def list_item(job: dict[str, Any]) -> dict[str, Any]:
    """A job as `GET /v1/jobs` lists it."""
    error, listed = job["error"], {"title": None, "file_name": None, "media_seconds": 40}
    same = {name: job[name] for name in ("job_id", "status", "mode", "input", "created_at", "minutes_charged")}
    return listed | same | {name: job[name] for name in listed if name in job} | {"error_code": error and error["code"]}


def make_api(state: StandIn) -> Blueprint:
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    @api.before_request
    def note_and_refuse() -> Any:
        call = f"{request.method} {request.path.removeprefix('/api/v1')}"
        body = request.get_json(silent=True) if request.is_json else len(request.get_data())
        state.calls.append((call, dict(request.headers), body))
        refusal = state.refusals.get(call) or state.refusals.get(call.split("/job_")[0])
        return (jsonify(error=refusal[1]), refusal[0]) if refusal else None

    @api.put("/uploads")
    def put_upload() -> Any:
        return jsonify(upload_id=UPLOAD, bytes=request.content_length, has_audio=True, has_video=False), 201

    @api.post("/context")
    def post_context() -> Any:
        state.add_job("queued")
        state.emit("queued")
        return jsonify(job_id=JOB, status="queued"), 202

    @api.get("/jobs/<job_id>")
    def get_job(job_id: str) -> Any:
        if job_id not in state.jobs:
            return jsonify(error={"code": "not_found", "message": "There is no such job."}), 404
        return jsonify(state.jobs[job_id])

    @api.get("/jobs/<job_id>/events")
    def get_events(job_id: str) -> Response:
        last = int(request.headers.get("Last-Event-ID", 0))
        return Response(state.stream(job_id, last), mimetype="text/event-stream")

    @api.delete("/jobs/<job_id>")
    def delete_job(job_id: str) -> Any:
        if state.jobs[job_id]["status"] in ("queued", "running"):
            error = make_error("CANCELLED", "The job was canceled.")
            state.finish("error", "canceled", job_id, error=error)
            return jsonify(state.jobs[job_id])
        del state.jobs[job_id]
        return jsonify(job_id=job_id, status="deleted")

    add_account(api, state)
    return api


def add_account(api: Blueprint, state: StandIn) -> None:
    """What the dashboard asks for."""

    @api.get("/me")
    def get_me() -> Any:
        return jsonify(state.account or {"anonymous": True, "user": None})

    @api.delete("/account")
    def delete_account() -> Any:
        state.account = None
        return jsonify(ok=True)

    @api.get("/keys")
    def get_keys() -> Any:
        return jsonify(state.keys)

    @api.post("/keys")
    def post_key() -> Any:
        asked = request.get_json()
        key = make_key(len(state.keys), asked["name"], asked["scopes"], asked.get("expiresInDays"))
        state.keys.append(key)
        return jsonify(key | {"key": f"svc_live_AbCdEfGhIjKlMnOpQrStUvWxYz{key['last4']}"}), 201

    @api.delete("/keys/<key_id>")
    def delete_key(key_id: str) -> Any:
        state.keys = [key for key in state.keys if key["id"] != key_id]
        return jsonify(ok=True)

    @api.get("/jobs")
    def get_jobs() -> Any:
        """Pages as the service makes them: `before` is a time of creation."""
        limit, before = int(request.args["limit"]), float(request.args.get("before", "inf"))
        items = sorted(state.jobs.values(), key=lambda job: -job["created_at"])
        items = [list_item(job) for job in items if job["created_at"] < before]
        more = items[limit - 1]["created_at"] if len(items) > limit else None
        return jsonify(jobs=items[:limit], next_before=more)
