"""What the tests of the bank share beside the stage."""

from datetime import timedelta

import pytest
from django.utils import timezone

from interview.bank.editor.folder import Folder
from tests.bank.stage import NOW, browser, interviewer
from tests.study.conftest import content  # noqa: F401


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """It stands at the stage's hour, so that no test asks on which day it is run;
    `clock(60)` moves it by a minute."""
    now = NOW

    def later(seconds):
        nonlocal now
        now += timedelta(seconds=seconds)

    monkeypatch.setattr(timezone, "now", lambda: now)
    return later


@pytest.fixture
def shared(db, settings):
    """People sign in; without it everybody is the owner of a local installation."""
    settings.PREFILL_MODE = "shared"


@pytest.fixture
def folder(shared, settings, tmp_path):
    """Where own cards are saved; it is not there yet."""
    settings.CONTENT_PATHS = [tmp_path / "own"]
    return Folder.own()


@pytest.fixture
def author(folder):
    """The browser of an interviewer who writes cards."""
    return browser(interviewer("Author"))


@pytest.fixture
def ada(shared):
    """An interviewer."""
    return interviewer("ada")


@pytest.fixture
def at_ada(ada):
    return browser(ada)
