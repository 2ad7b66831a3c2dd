"""What the tests of the bank share beside the stage."""

import pytest

from interview.bank.editor.folder import Folder
from tests.bank.stage import browser, interviewer
from tests.study.conftest import content  # noqa: F401


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
