"""The migrations lead to the tables that the models describe, and none imports a model."""

import re

import pytest
from playhouse.migrations import Runner

from svc.accounts.models import MODELS as ACCOUNTS
from svc.core import database
from svc.core.settings import load
from svc.inbox.models import MODELS as INBOX
from svc.jobs.models import MODELS as JOBS


@pytest.fixture
def migrated(tmp_path):
    settings = load({"data_dir": str(tmp_path)}, {})
    database.connect(settings)
    database.migrate(settings)
    yield database.db.obj
    database.release()


def shape(db, table):
    columns = {(c.name, c.data_type.upper(), c.null, c.primary_key) for c in db.get_columns(table)}
    indexes = {(tuple(i.columns), i.unique) for i in db.get_indexes(table)}
    keys = {(k.column, k.dest_table, k.dest_column) for k in db.get_foreign_keys(table)}
    return columns, indexes, keys


@pytest.mark.parametrize("model", [*ACCOUNTS, *JOBS, *INBOX], ids=lambda model: model.__name__)
def test_the_migrations_make_the_models_table(migrated, tmp_path, model):
    found = shape(migrated, model._meta.table_name)
    migrated.execute_sql("PRAGMA foreign_keys = 0")
    migrated.drop_tables([model])
    migrated.create_tables([model])
    assert found == shape(migrated, model._meta.table_name)


def test_running_them_again_changes_nothing(migrated):
    assert Runner(migrated, str(database.MIGRATIONS)).up() == []


def test_a_migration_is_a_frozen_copy():
    for path in database.MIGRATIONS.glob("*.py"):
        assert not re.search(r"^(from|import) (svc|app)\b", path.read_text(), re.MULTILINE)
