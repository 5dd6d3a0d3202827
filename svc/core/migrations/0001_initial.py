"""The first tables."""

from svc.jobs.models import MODELS


def up(migrator, db):
    db.create_tables(MODELS)
