"""The tables of jobs. Times are epoch milliseconds, minutes are integers of a millionth of a minute."""

from typing import Any

import peewee

from svc.core.database import JSONField, Model

OPEN = ("queued", "running")
ENDED = ("succeeded", "failed", "canceled")


class Job(Model):
    """One job. `location` is the link as given or the upload's id; `input` is what callers are shown.

    `work_key` names all that the run makes, `flight_key` the media layers of it: of jobs with one flight key one
    runs at a time, so that the others find its layers stored.
    """

    id = peewee.CharField(primary_key=True)
    owner = peewee.CharField()
    status = peewee.CharField()
    mode = peewee.CharField()
    input: Any = JSONField()
    location = peewee.TextField()
    language: Any = JSONField()
    options: Any = JSONField()
    content_id = peewee.CharField(index=True)
    facts: Any = JSONField()
    estimate: Any = JSONField()
    degraded: Any = JSONField(null=True)
    work_key = peewee.CharField()
    flight_key = peewee.CharField()
    may_listen = peewee.BooleanField(default=False)
    running_cap = peewee.IntegerField()
    max_seconds = peewee.FloatField()
    stage = peewee.CharField(null=True)
    progress = peewee.FloatField(null=True)
    cache_hit = peewee.BooleanField(null=True)
    charged_micro = peewee.BigIntegerField(null=True)
    media_seconds = peewee.FloatField(null=True)
    title = peewee.TextField(null=True)
    error: Any = JSONField(null=True)
    attempt = peewee.IntegerField(default=0)
    events = peewee.IntegerField(default=0)
    cancel_requested = peewee.BooleanField(default=False)
    upload_id = peewee.CharField(null=True)
    via = peewee.CharField(null=True)
    created_at = peewee.BigIntegerField()
    expires_at = peewee.BigIntegerField()
    started_at = peewee.BigIntegerField(null=True)
    finished_at = peewee.BigIntegerField(null=True)

    class Meta:
        indexes = ((("status", "created_at"), False), (("owner", "status"), False), (("expires_at",), False))


class Event(Model):
    """One line of a job's stream. `seq` counts from 1 without gaps; `data` is the JSON object as sent."""

    job_id = peewee.CharField()
    seq = peewee.IntegerField()
    type = peewee.CharField()
    data = peewee.TextField()

    class Meta:
        primary_key = peewee.CompositeKey("job_id", "seq")


class Upload(Model):
    """A stored file. `job_id` is the one job it is bound to; `facts` is what the probe found."""

    id = peewee.CharField(primary_key=True)
    owner = peewee.CharField(index=True)
    bytes = peewee.BigIntegerField()
    file_name = peewee.TextField(null=True)
    mime = peewee.CharField(null=True)
    facts: Any = JSONField()
    job_id = peewee.CharField(null=True)
    created_at = peewee.BigIntegerField()
    expires_at = peewee.BigIntegerField()


class StoredLayer(Model):
    """A finished layer, kept by what it was made from and all that shaped it. The body is a file named by `key`."""

    key = peewee.CharField(primary_key=True)
    content_id = peewee.CharField(index=True)
    layer = peewee.CharField()
    bytes = peewee.BigIntegerField()
    created_at = peewee.BigIntegerField()
    used_at = peewee.BigIntegerField(index=True)


class Resolution(Model):
    """What a link was found to be a short while ago."""

    key = peewee.CharField(primary_key=True)
    facts: Any = JSONField()
    created_at = peewee.BigIntegerField(index=True)


class Idempotency(Model):
    """The job that a caller's idempotency key stands for, and a hash of the body that it came with."""

    owner = peewee.CharField()
    key = peewee.CharField()
    body_hash = peewee.CharField()
    job_id = peewee.CharField()
    created_at = peewee.BigIntegerField(index=True)

    class Meta:
        primary_key = peewee.CompositeKey("owner", "key")


class Outcome(Model):
    """How one job of a source ended, for the status page: succeeded, fallback, failed, blocked."""

    source = peewee.CharField()
    kind = peewee.CharField()
    seconds = peewee.FloatField()
    created_at = peewee.BigIntegerField(index=True)


class Takedown(Model):
    """Content that may not be processed or shown: a content id, or a canonical address."""

    name = peewee.CharField(primary_key=True)
    created_at = peewee.BigIntegerField()


MODELS = (Job, Event, Upload, StoredLayer, Resolution, Idempotency, Outcome, Takedown)
