"""A session says where it was begun, so that its owner knows which to end."""

import peewee


def up(migrator, db):
    migrator.migrate(migrator.add_column("session", "label", peewee.CharField(null=True)))
