"""A backup brings nobody in again: no session, no link, no attempt."""

import zipfile

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.utils import timezone

from interview.accounts.attempts import SIGN_IN, Attempt, Try, begin
from interview.accounts.models import Invitation, Role, SignedIn, User
from interview.archive import manifest, rows
from interview.archive.backup import backup
from interview.archive.restore import load
from tests.accounts.conftest import PASSWORD, browser

pytestmark = pytest.mark.django_db
WAYS_IN = [Session, SignedIn, Invitation, Attempt]


@pytest.fixture
def cem(settings):
    settings.PREFILL_MODE = "shared"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    person = User.objects.join("Cem", PASSWORD, Role.CANDIDATE)
    assert browser().post("/sign-in/", {"name": "Cem", "password": PASSWORD})
    Invitation.objects.invite(Role.OWNER, timezone.now())
    begin(timezone.now(), Try(SIGN_IN, "somebody"))
    assert all(model.objects.exists() for model in WAYS_IN)
    return person


def test_ways_in_are_tables_that_there_are():
    ours = {name for name in rows.WAYS_IN if not name.startswith("socialaccount.")}
    assert ours == {apps.get_model(name)._meta.label for name in ours}


def test_a_backup_has_no_way_in(cem, tmp_path):
    made = backup(tmp_path / "a.zip", timezone.now())
    found = {table.model for table in made.tables}
    assert "accounts.User" in found
    assert not found & {model._meta.label for model in WAYS_IN}
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert "tables/sessions.Session.jsonl" not in archive.namelist()


def test_an_older_backup_that_has_some_brings_none_back(cem, tmp_path, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(rows, "WAYS_IN", set())
        made = backup(tmp_path / "a.zip", timezone.now())
    assert "accounts.SignedIn" in {table.model for table in made.tables}
    wanted = {"accounts.User", *(model._meta.label for model in WAYS_IN)}
    tables = [table for table in made.tables if table.model in wanted]
    models = [apps.get_model(table.model) for table in tables]
    for model in [*WAYS_IN, User]:
        model.objects.all().delete()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        some = manifest.Manifest(
            made.version, made.made_at, made.database, [], tables, []
        )
        load(archive, some, models)
    assert User.objects.get().name == "Cem"
    assert not any(model.objects.exists() for model in WAYS_IN)
