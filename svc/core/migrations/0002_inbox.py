"""The tables of the contact form and the waitlist."""

import peewee


class ContactMessage(peewee.Model):
    id = peewee.CharField(primary_key=True)
    topic = peewee.CharField()
    email = peewee.CharField()
    message = peewee.TextField()
    created_at = peewee.BigIntegerField(index=True)
    done_at = peewee.BigIntegerField(null=True)

    class Meta:
        legacy_table_names = False


class WaitlistEntry(peewee.Model):
    id = peewee.AutoField()
    email = peewee.CharField()
    interest = peewee.CharField()
    path = peewee.TextField()
    ref = peewee.CharField()
    created_at = peewee.BigIntegerField()
    joined_at = peewee.BigIntegerField(null=True)

    class Meta:
        legacy_table_names = False
        indexes = ((("email", "interest"), True),)


class WaitlistMail(peewee.Model):
    email = peewee.CharField()
    purpose = peewee.CharField()
    tries = peewee.IntegerField(default=0)
    due_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False
        primary_key = peewee.CompositeKey("email", "purpose")


class WaitlistLink(peewee.Model):
    token_hash = peewee.CharField(primary_key=True)
    email = peewee.CharField(index=True)
    purpose = peewee.CharField()
    created_at = peewee.BigIntegerField()
    expires_at = peewee.BigIntegerField(index=True)

    class Meta:
        legacy_table_names = False


MODELS = (ContactMessage, WaitlistEntry, WaitlistMail, WaitlistLink)


def up(migrator, db):
    with db.bind_ctx(MODELS):
        db.create_tables(MODELS)
