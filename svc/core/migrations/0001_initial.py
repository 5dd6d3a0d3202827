"""The first tables, as they were then: later changes are migrations of their own."""

import peewee


class User(peewee.Model):
    id = peewee.CharField(primary_key=True)
    email = peewee.CharField(unique=True)
    name = peewee.CharField(null=True)
    pro = peewee.BooleanField(default=False)
    pro_until = peewee.BigIntegerField(null=True)
    lifetime = peewee.BooleanField(default=False)
    created_at = peewee.BigIntegerField()

    class Meta:
        legacy_table_names = False


class ApiKey(peewee.Model):
    id = peewee.CharField(primary_key=True)
    user = peewee.ForeignKeyField(User, on_delete="CASCADE")
    secret_hash = peewee.CharField(unique=True)
    prefix = peewee.CharField()
    last4 = peewee.CharField()
    name = peewee.CharField()
    scopes = peewee.CharField()
    created_at = peewee.BigIntegerField()
    created_via = peewee.CharField()
    device_label = peewee.CharField(null=True)
    expires_at = peewee.BigIntegerField(null=True)
    last_used_at = peewee.BigIntegerField(null=True)
    revoked_at = peewee.BigIntegerField(null=True)

    class Meta:
        legacy_table_names = False


class Session(peewee.Model):
    token_hash = peewee.CharField(primary_key=True)
    user = peewee.ForeignKeyField(User, on_delete="CASCADE")
    created_at = peewee.BigIntegerField()
    expires_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False


class MailLink(peewee.Model):
    token_hash = peewee.CharField(primary_key=True)
    email = peewee.CharField()
    callback = peewee.TextField()
    expires_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False


class DeviceLogin(peewee.Model):
    device_hash = peewee.CharField(primary_key=True)
    user_code = peewee.CharField(unique=True)
    client_id = peewee.CharField()
    user = peewee.ForeignKeyField(User, on_delete="CASCADE", null=True)
    denied = peewee.BooleanField(default=False)
    interval = peewee.IntegerField()
    polled_at = peewee.BigIntegerField(null=True)
    expires_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False


class Entry(peewee.Model):
    owner = peewee.CharField()
    purse = peewee.CharField()
    unit = peewee.CharField()
    amount = peewee.BigIntegerField()
    cause = peewee.CharField()
    created_at = peewee.BigIntegerField()

    class Meta:
        legacy_table_names = False
        indexes = ((("owner", "purse", "unit"), False), (("cause", "purse", "unit"), True))


class Hold(peewee.Model):
    cause = peewee.CharField()
    owner = peewee.CharField(index=True)
    unit = peewee.CharField()
    amount = peewee.BigIntegerField()

    class Meta:
        legacy_table_names = False
        primary_key = peewee.CompositeKey("cause", "unit")


class Job(peewee.Model):
    id = peewee.CharField(primary_key=True)
    owner = peewee.CharField()
    status = peewee.CharField()
    mode = peewee.CharField()
    input = peewee.TextField()
    location = peewee.TextField()
    language = peewee.TextField()
    options = peewee.TextField()
    content_id = peewee.CharField(index=True)
    facts = peewee.TextField()
    estimate = peewee.TextField()
    degraded = peewee.TextField(null=True)
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
    error = peewee.TextField(null=True)
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
        legacy_table_names = False
        indexes = ((("status", "created_at"), False), (("owner", "status"), False), (("expires_at",), False))


class Event(peewee.Model):
    job_id = peewee.CharField()
    seq = peewee.IntegerField()
    type = peewee.CharField()
    data = peewee.TextField()

    class Meta:
        legacy_table_names = False
        primary_key = peewee.CompositeKey("job_id", "seq")


class Upload(peewee.Model):
    id = peewee.CharField(primary_key=True)
    owner = peewee.CharField(index=True)
    bytes = peewee.BigIntegerField()
    file_name = peewee.TextField(null=True)
    mime = peewee.CharField(null=True)
    facts = peewee.TextField()
    job_id = peewee.CharField(null=True)
    created_at = peewee.BigIntegerField()
    expires_at = peewee.BigIntegerField()

    class Meta:
        legacy_table_names = False


class StoredLayer(peewee.Model):
    key = peewee.CharField(primary_key=True)
    content_id = peewee.CharField(index=True)
    layer = peewee.CharField()
    bytes = peewee.BigIntegerField()
    created_at = peewee.BigIntegerField()
    used_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False


class Resolution(peewee.Model):
    key = peewee.CharField(primary_key=True)
    facts = peewee.TextField()
    created_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False


class Idempotency(peewee.Model):
    owner = peewee.CharField()
    key = peewee.CharField()
    body_hash = peewee.CharField()
    job_id = peewee.CharField()
    created_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False
        primary_key = peewee.CompositeKey("owner", "key")


class Outcome(peewee.Model):
    source = peewee.CharField()
    kind = peewee.CharField()
    seconds = peewee.FloatField()
    created_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False


class Takedown(peewee.Model):
    name = peewee.CharField(primary_key=True)
    created_at = peewee.BigIntegerField()

    class Meta:
        legacy_table_names = False


MODELS = (
    User,
    ApiKey,
    Session,
    MailLink,
    DeviceLogin,
    Entry,
    Hold,
    Job,
    Event,
    Upload,
    StoredLayer,
    Resolution,
    Idempotency,
    Outcome,
    Takedown,
)


def up(migrator, db):
    with db.bind_ctx(MODELS):
        db.create_tables(MODELS)
