"""The tables of the contact form and the waitlist. Times are epoch milliseconds."""

import peewee

from svc.core.database import Model


class ContactMessage(Model):
    """What somebody wrote to the operator; `done_at` is set when the operator has dealt with it."""

    id = peewee.CharField(primary_key=True)
    topic = peewee.CharField()
    email = peewee.CharField()
    message = peewee.TextField()
    created_at = peewee.BigIntegerField(index=True)
    done_at = peewee.BigIntegerField(null=True)


class WaitlistEntry(Model):
    """An address that waits for one thing: on the list from `joined_at`, until then asked by mail to confirm it."""

    id = peewee.AutoField()
    email = peewee.CharField()
    interest = peewee.CharField()
    path = peewee.TextField()
    ref = peewee.CharField()
    created_at = peewee.BigIntegerField()
    joined_at = peewee.BigIntegerField(null=True)

    class Meta:
        indexes = ((("email", "interest"), True),)


class WaitlistMail(Model):
    """A mail that is due to an address. `purpose` is `join` or `leave`; whether there is something to tell is found
    out when it is sent, so that asking takes the same time for every address.
    """

    email = peewee.CharField()
    purpose = peewee.CharField()
    tries = peewee.IntegerField(default=0)
    due_at = peewee.BigIntegerField(index=True)

    class Meta:
        primary_key = peewee.CompositeKey("email", "purpose")


class WaitlistLink(Model):
    """A link that was mailed. Only the hash of its token is kept."""

    token_hash = peewee.CharField(primary_key=True)
    email = peewee.CharField(index=True)
    purpose = peewee.CharField()
    created_at = peewee.BigIntegerField()
    expires_at = peewee.BigIntegerField(index=True)


MODELS = (ContactMessage, WaitlistEntry, WaitlistMail, WaitlistLink)
