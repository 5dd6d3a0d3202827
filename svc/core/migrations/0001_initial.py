"""The first tables."""

from svc.accounts.models import MODELS as ACCOUNTS
from svc.jobs.models import MODELS as JOBS


def up(migrator, db):
    db.create_tables([*ACCOUNTS, *JOBS])
