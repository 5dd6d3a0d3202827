"""The tables of jobs. Times are epoch milliseconds, minutes are integers of a millionth of a minute."""

from typing import Any

import peewee

from svc.core.database import JSONField, Model

OPEN = ("queued", "running")
ENDED = ("succeeded", "failed", "canceled")


class Job(Model):
    """One job. `location` is the link as given or the upload's id; `input` is what callers are shown."""

    id = peewee.CharField(primary_key=True)
    owner = peewee.CharField()
    status = peewee.CharField()
    mode = peewee.CharField()
    input: Any = JSONField()
    location = peewee.TextField()
    language: Any = JSONField()
    options: Any = JSONField()
    facts: Any = JSONField()
    estimate: Any = JSONField()
    running_cap = peewee.IntegerField()
    max_seconds = peewee.IntegerField()
    stage = peewee.CharField(null=True)
    progress = peewee.FloatField(null=True)
    cache_hit = peewee.BooleanField(null=True)
    charged_micro = peewee.BigIntegerField(null=True)
    error: Any = JSONField(null=True)
    attempt = peewee.IntegerField(default=0)
    events = peewee.IntegerField(default=0)
    cancel_requested = peewee.BooleanField(default=False)
    upload_id = peewee.CharField(null=True)
    created_at = peewee.BigIntegerField()
    expires_at = peewee.BigIntegerField()
    started_at = peewee.BigIntegerField(null=True)
    finished_at = peewee.BigIntegerField(null=True)

    class Meta:
        indexes = ((("status", "created_at"), False), (("owner", "status"), False))


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
    owner = peewee.CharField()
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


MODELS = (Job, Event, Upload, StoredLayer)
