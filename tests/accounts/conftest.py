"""A small fixed cast: Ada owns the installation, Ian interviews, Cem practises."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from interview.accounts.models import Role, User

NOW = datetime(2026, 11, 29, 12, 20, tzinfo=UTC)
PASSWORD = "seven quiet otters"
NEXT_PASSWORD = "nine louder herons"


def later(**span):
    return NOW + timedelta(**span)


@pytest.fixture(autouse=True)
def quick_hashes(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def shared(settings):
    settings.PREFILL_MODE = "shared"
    return settings


def make_person(name, role):
    return User.objects.join(name, PASSWORD, role)


@pytest.fixture
def ada(db, shared):
    return make_person("Ada", Role.OWNER)


@pytest.fixture
def ian(db, shared):
    return make_person("Ian", Role.INTERVIEWER)


@pytest.fixture
def cem(db, shared):
    return make_person("Cem", Role.CANDIDATE)


def browser(person=None, *, user_agent="Mozilla/5.0 (X11; Linux) Firefox/140.0"):
    """A browser of its own, in which `person` came through the door."""
    client = Client(headers={"user-agent": user_agent, "accept": "text/html"})
    if person:
        assert sign_in(client, person.name).status_code == 303
    return client


def sign_in(client, name, password=PASSWORD, **more):
    return client.post("/sign-in/", {"name": name, "password": password, **more})
