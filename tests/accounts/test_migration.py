"""From the state before names were unique whatever their case."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

BEFORE = [("accounts", "0001_initial")]


@pytest.fixture
def migrate(transactional_db):
    def to(targets):
        executor = MigrationExecutor(connection)
        executor.migrate(targets)
        return MigrationExecutor(connection).loader.project_state(targets).apps

    yield to
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_people_keep_their_names_and_those_alike_get_a_number(migrate):
    old = migrate(BEFORE).get_model("accounts", "User")
    for name in ("Ada", "ada", "ADA", "Ada 2", "Åse", "owner"):
        old.objects.create(name=name, joined_at=timezone.now())
    new = migrate([("accounts", "0002_sign_in")]).get_model("accounts", "User")
    found = {person.name: person.name_key for person in new.objects.all()}
    assert found == {
        "Ada": "ada",
        "ada 3": "ada 3",
        "ADA 4": "ada 4",
        "Ada 2": "ada 2",
        "Åse": "åse",
        "owner": "owner",
    }
