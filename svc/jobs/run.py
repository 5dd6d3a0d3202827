"""One claimed job through the engine: its events go to the stream, its end to the jobs table."""

import json
import logging
import shutil
import threading
import time
from collections.abc import Iterator
from typing import Any

from svc.core.database import db
from svc.core.errors import EngineError, as_told_callers
from svc.core.settings import Settings
from svc.engine.config import config_for
from svc.engine.facts import Facts
from svc.engine.keys import layer_keys
from svc.engine.models.roles import forget_uploads
from svc.engine.pipeline import Pipeline
from svc.engine.plan import plan
from svc.engine.process import EngineProcess
from svc.engine.request import Config, Request
from svc.engine.run import Run
from svc.jobs import budget, events, stored, uploads
from svc.jobs.claim import requeue
from svc.jobs.engine_calls import request_for
from svc.jobs.finish import fail, succeed
from svc.jobs.models import Job, Upload
from svc.jobs.results import keep_result, work_folder

log = logging.getLogger("svc.jobs")

CHECK_SECONDS = 0.5
DIRECT = "DOWNLOAD_FALLBACK_URL_DIRECT"


class Interrupted(Exception):
    """The worker is stopping; the job goes back to the queue."""


def run_job(settings: Settings, job: Job, stopping: threading.Event) -> None:
    """Runs one claimed job to its end, or back to the queue soon after `stopping` is set."""
    try:
        JobRun(settings, job, stopping).run()
    except Interrupted:
        requeue(job, "The service is restarting.", settings.limits.service.job_attempts)
    except EngineError as error:
        error.stage = error.stage or job.stage
        log_provider_trouble(job, error)
        fail(job, as_told_callers(error))
        budget.spend_unfinished(job, work_folder(settings, job))
        forget_uploads(config_for(settings, work_folder(settings, job)))
    except Exception:
        log.exception("job %s failed", job.id)
        fail(job, EngineError("INTERNAL", stage=job.stage))


def log_provider_trouble(job: Job, error: EngineError) -> None:
    """What only the operator is told."""
    if error.operator:
        log.error("job %s: %s", job.id, error)


class JobRun:
    def __init__(self, settings: Settings, job: Job, stopping: threading.Event):
        self.settings, self.job, self.stopping = settings, job, stopping
        self.folder = work_folder(settings, job)
        self.request: Request = request_for(settings, job)
        self.config: Config = config_for(settings, self.folder)
        self.thinning = events.Thinning(settings.limits.service, job.events)
        self.done: dict[str, Any] | None = None
        self.all_stored = False

    def run(self) -> None:
        self.lay_out()
        for event in self.engine_events():
            self.take(event)
        if self.done is None:
            raise EngineError("INTERNAL", stage=self.job.stage)
        self.finish(self.done)

    def lay_out(self) -> None:
        """What is known already goes where the engine looks for it."""
        laid_out = stored.lay_out(self.settings, self.keys(self.plan()), self.folder)
        (self.folder / "stored" / "facts.json").write_text(json.dumps(self.job.facts), "utf-8")
        self.all_stored = laid_out == set(self.plan())

    def plan(self) -> tuple[str, ...]:
        return plan(self.request.mode, Facts.from_json(self.job.facts), self.request.options.detail)

    def keys(self, layers: tuple[str, ...]) -> dict[str, str]:
        return layer_keys(layers, self.job.facts["content_id"], self.request, self.config)

    def engine_events(self) -> Iterator[dict[str, Any]]:
        """The engine's events; with every layer stored there is nothing heavy to do, and no process is needed."""
        return self.put_together() if self.all_stored else self.watched_process()

    def put_together(self) -> Iterator[dict[str, Any]]:
        made: list[dict[str, Any]] = []
        Pipeline(Run(self.request, self.config, made.append)).run()
        return iter(made)

    def watched_process(self) -> Iterator[dict[str, Any]]:
        """A process of its own, while nobody cancels the job and the worker is not stopping."""
        checked = 0.0
        with EngineProcess("run", self.request, self.config) as process:
            for event in process.events(CHECK_SECONDS):
                if time.monotonic() - checked >= CHECK_SECONDS:
                    checked = time.monotonic()
                    self.check()
                if event:
                    yield event

    def check(self) -> None:
        if self.stopping.is_set():
            raise Interrupted
        if Job.select(Job.cancel_requested).where(Job.id == self.job.id).scalar() is not False:
            raise EngineError("CANCELLED", stage=self.job.stage)

    def take(self, event: dict[str, Any]) -> None:
        if event["type"] == "error":
            raise EngineError.from_info(event)
        if event["type"] == "plan":
            event = {**event, **self.quoted()}
        if event["type"] == "done":
            self.done = event
        elif self.thinning.keeps(event):
            with db.atomic():
                self.note_progress(event)
                events.add(self.job.id, event)

    def quoted(self) -> dict[str, Any]:
        """The plan as the caller was quoted it."""
        estimate = self.job.estimate
        return {
            "tiers": estimate["tiers"],
            "mediaSeconds": estimate["media_seconds"],
            "minutes": estimate["minutes"],
            "cached": estimate["cached"],
        }

    def note_progress(self, event: dict[str, Any]) -> None:
        if event["type"] == "stage" and event["status"] == "start":
            self.job.stage = event["stage"]
            Job.update(stage=event["stage"]).where(Job.id == self.job.id).execute()
        elif event["type"] == "progress":
            event["progress"] = self.job.progress = max(event["progress"], self.job.progress or 0)
            Job.update(progress=self.job.progress).where(Job.id == self.job.id).execute()

    def finish(self, done: dict[str, Any]) -> None:
        """Keeps the layers and the result, then ends the job.

        The folder goes before the end is committed: after it, another job may be given the same one.
        """
        context_file = self.folder / "context.json"
        context = json.loads(context_file.read_text("utf-8"))
        layers = tuple(tier["tier"] for tier in context["tiers"] if tier["status"] != "failed")
        if not second_best(context):
            stored.keep(self.settings, context["id"], self.keys(layers), self.folder)
        keep_result(self.settings, self.job.id, context_file)
        shutil.rmtree(self.folder, ignore_errors=True)
        if succeed(self.settings, self.job, context, done):
            self.remove_upload()

    def remove_upload(self) -> None:
        for upload in Upload.select().where(Upload.job_id == self.job.id):
            uploads.remove(self.settings, upload)


def second_best(context: dict[str, Any]) -> bool:
    """Whether a later job should rather try again than take these layers over: a model read the link by itself."""
    return any(warning["code"] == DIRECT for warning in context["warnings"])
