"""What time removes: results and events of expired jobs, unused uploads and layers, and what was only remembered."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import peewee

from svc.accounts import users
from svc.core import cleanup
from svc.core.cleanup import Waste, rows, size_of
from svc.core.settings import Settings
from svc.jobs.models import ENDED, Event, Idempotency, Job, Outcome, Resolution, StoredLayer, Upload
from svc.jobs.results import give_up_work
from svc.jobs.sources import REMEMBERED_MS
from svc.jobs.stored import LOCAL, forget, layer_path
from svc.jobs.uploads import erase_unused, remove, upload_path

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
# An expired job or upload answers 410 for this long; after that it is as unknown as one that never was.
TOMBSTONE_MS = 30 * DAY_MS
UNUSED_LAYER_MS = 30 * DAY_MS
OUTCOME_MS = 2 * DAY_MS
# A file that no row knows and that was untouched for so long: nobody can be in the middle of making it.
ABANDONED_MS = DAY_MS


def waste(settings: Settings, now: int) -> Iterator[Waste]:
    """Files and rows of jobs and uploads, those first that the later ones are known by."""
    yield from results(settings, now)
    yield rows("events", Event, Event.job_id.in_(Job.select(Job.id).where(is_over(now))))
    yield from work_folders(settings, now)
    yield from uploads(settings, now)
    yield from layers(settings, now)
    forgotten = (Job.expires_at + TOMBSTONE_MS <= now) | users.is_gone(Job.owner)
    yield rows("jobs", Job, Job.status.in_(ENDED) & forgotten)
    yield rows("resolutions", Resolution, Resolution.created_at <= now - REMEMBERED_MS)
    yield rows("outcomes", Outcome, Outcome.created_at <= now - OUTCOME_MS)
    keys_until = now - settings.limits.service.idempotency_hours * HOUR_MS
    old_key = (Idempotency.created_at <= keys_until) | users.is_gone(Idempotency.owner)
    yield rows("idempotency_keys", Idempotency, old_key)


def is_over(now: int) -> peewee.Expression:
    """A condition on jobs: nobody may read it any more, for it has expired or its account is gone."""
    return Job.status.in_(ENDED) & ((Job.expires_at <= now) | users.is_gone(Job.owner))


def results(settings: Settings, now: int) -> Iterator[Waste]:
    files = list(settings.folder("results").glob("*.json"))  # listed first: a newer one must have its job by then
    kept = values(Job.id, ~is_over(now))
    for file in files:
        if file.stem not in kept:
            yield cleanup.file("results", file)


def work_folders(settings: Settings, now: int) -> Iterator[Waste]:
    """What the runs of jobs that are over left, and folders that no job knows."""
    folders = list(settings.folder("work").iterdir())
    known, in_use = values(Job.work_key), values(Job.work_key, ~is_over(now))
    for folder in folders:
        if folder.name not in in_use and (folder.name in known or is_abandoned(folder)):
            yield Waste("work_folders", partial(remove_work, settings, folder, now), bytes=size_of(folder))


def remove_work(settings: Settings, folder: Path, now: int) -> None:
    in_use = Job.select().where((Job.work_key == folder.name) & ~is_over(now))
    give_up_work(settings, folder, unless=in_use.exists)


def uploads(settings: Settings, now: int) -> Iterator[Waste]:
    """Uploads that nobody used in time, and what a crash left: those of succeeded jobs, files without a row."""
    unused = Upload.job_id.is_null()
    used = Upload.job_id.in_(Job.select(Job.id).where(Job.status == "succeeded"))
    forgotten = (Upload.expires_at + TOMBSTONE_MS <= now) | users.is_gone(Upload.owner)
    for upload in list(Upload.select().where(used | unused & forgotten)):
        size = size_of(upload_path(settings, upload.id))
        yield Waste("uploads", partial(remove, settings, upload), bytes=size)
    for upload in list(Upload.select().where(unused & (Upload.expires_at <= now) & ~forgotten)):
        if size := size_of(upload_path(settings, upload.id)):
            yield Waste("uploads", partial(erase_unused, settings, upload), bytes=size)
    yield from strays("uploads", settings, values(Upload.id))


def layers(settings: Settings, now: int) -> Iterator[Waste]:
    """Layers that no job used for long, and those of uploaded bytes that no job refers to any more."""
    in_use = Job.select(Job.id).where((Job.content_id == StoredLayer.content_id) & ~is_over(now))
    unshared = StoredLayer.content_id.startswith(LOCAL) & ~peewee.fn.EXISTS(in_use)
    old = StoredLayer.used_at <= now - UNUSED_LAYER_MS
    for layer in list(StoredLayer.select().where(old | unshared)):
        size = size_of(layer_path(settings, layer.key))
        yield Waste("layers", partial(forget, settings, layer), bytes=size)
    yield from strays("layers", settings, {f"{key}.json" for key in values(StoredLayer.key)})


def strays(kind: str, settings: Settings, known: set[str]) -> Iterator[Waste]:
    """Files of a folder that no row knows, left behind by a crash long ago."""
    for file in settings.folder(kind).iterdir():
        if file.name not in known and is_abandoned(file):
            yield cleanup.file(kind, file)


def values(column: peewee.Field, *conditions: peewee.Expression) -> set[str]:
    rows = column.model.select(column).where(*conditions) if conditions else column.model.select(column)
    return {value for (value,) in rows.tuples().iterator()}


def is_abandoned(path: Path) -> bool:
    return cleanup.is_untouched(path, ABANDONED_MS)
