"""The tables of accounts. Times are epoch milliseconds, minutes are integers of a millionth of a minute."""

import peewee

from svc.core.database import Model


class User(Model):
    """An account. `email` is kept in lower case; `pro` counts until `pro_until`, `lifetime` for good."""

    id = peewee.CharField(primary_key=True)
    email = peewee.CharField(unique=True)
    name = peewee.CharField(null=True)
    pro = peewee.BooleanField(default=False)
    pro_until = peewee.BigIntegerField(null=True)
    lifetime = peewee.BooleanField(default=False)
    created_at = peewee.BigIntegerField()


class ApiKey(Model):
    """A key. Only the hash of its secret is kept, with what a person needs to tell it from others."""

    id = peewee.CharField(primary_key=True)
    user = peewee.ForeignKeyField(User, backref="keys", on_delete="CASCADE")
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


class Session(Model):
    """A signed-in browser or device. Only the hash of its token is kept; `label` says where it was begun."""

    token_hash = peewee.CharField(primary_key=True)
    user = peewee.ForeignKeyField(User, on_delete="CASCADE")
    label = peewee.CharField(null=True)
    created_at = peewee.BigIntegerField()
    expires_at = peewee.BigIntegerField(index=True)


class MailLink(Model):
    """A sign-in link that was mailed: good once and for a while. Only the hash of its token is kept."""

    token_hash = peewee.CharField(primary_key=True)
    email = peewee.CharField()
    callback = peewee.TextField()
    expires_at = peewee.BigIntegerField(index=True)


class DeviceLogin(Model):
    """A device that waits for a person to confirm it (RFC 8628). `user` is set when one did; `denied` when not."""

    device_hash = peewee.CharField(primary_key=True)
    user_code = peewee.CharField(unique=True)
    client_id = peewee.CharField()
    user = peewee.ForeignKeyField(User, null=True, on_delete="CASCADE")
    denied = peewee.BooleanField(default=False)
    interval = peewee.IntegerField()
    polled_at = peewee.BigIntegerField(null=True)
    expires_at = peewee.BigIntegerField(index=True)


class Entry(Model):
    """One line of the ledger: so much of one purse was added (positive) or used (negative), for one cause, once.

    `purse` is `topup`, a period such as `2026-11` or, for anonymous callers, a day; `cause` a job, a question or a
    grant. Balances are sums.
    """

    owner = peewee.CharField()
    purse = peewee.CharField()
    unit = peewee.CharField()
    amount = peewee.BigIntegerField()
    cause = peewee.CharField()
    created_at = peewee.BigIntegerField()

    class Meta:
        indexes = ((("owner", "purse", "unit"), False), (("cause", "purse", "unit"), True))


class Hold(Model):
    """An amount that waiting and running work may still use; it goes when the work ends."""

    cause = peewee.CharField()
    owner = peewee.CharField(index=True)
    unit = peewee.CharField()
    amount = peewee.BigIntegerField()

    class Meta:
        primary_key = peewee.CompositeKey("cause", "unit")


MODELS = (User, ApiKey, Session, MailLink, DeviceLogin, Entry, Hold)
