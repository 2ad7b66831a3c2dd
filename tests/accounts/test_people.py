"""People: the owner of a local installation, and who may see what."""

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from interview.accounts.models import Role, User

pytestmark = pytest.mark.django_db


def test_a_local_installation_has_one_owner(client, settings):
    settings.PREFILL_MODE = "local"
    client.get("/")
    client.get("/")
    assert [person.role for person in User.objects.all()] == [Role.OWNER]


def test_a_local_owner_has_no_password_to_guess():
    assert not User.objects.local_owner().has_usable_password()


def test_in_shared_mode_a_stranger_is_refused(client, settings):
    settings.PREFILL_MODE = "shared"
    assert client.get("/").status_code == 403
    assert not User.objects.exists()


def test_an_unknown_host_name_is_refused(client, settings):
    settings.ALLOWED_HOSTS = ["localhost"]
    assert client.get("/", headers={"host": "rebound.example"}).status_code == 400


@pytest.mark.parametrize(
    ("role", "may"),
    [(Role.OWNER, True), (Role.INTERVIEWER, True), (Role.CANDIDATE, False)],
)
def test_only_owners_and_interviewers_may_interview(role, may):
    assert User(name="x", role=role).may_interview is may


def test_a_time_zone_must_exist():
    with pytest.raises(ValidationError, match="no time zone"):
        User(name="x", time_zone="Mars/Olympus", password="!").full_clean()


def test_keys_are_sortable_by_time():
    keys = [User.objects.create(name=f"p{i}").pk for i in range(3)]
    assert [key.version for key in keys] == [7, 7, 7]
    assert keys == sorted(keys)
    assert len(set(keys)) == 3


def test_the_test_run_uses_the_database_it_claims(settings):
    expected = "postgresql" if settings.DATABASE_URL else "sqlite"
    assert connection.vendor == expected
