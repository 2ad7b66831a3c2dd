"""A real Chromium on the whole running product."""

import os
import re
import shutil

import pytest

from tests.live_site import running_site

QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
HARMLESS = re.compile(r"status of (403|404|422)|ERR_(ABORTED|CONNECTION_REFUSED)")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    sandbox = ["--no-sandbox"] if os.getuid() == 0 else []
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    return browser_type_launch_args | {
        "executable_path": path,
        "args": QUIET + sandbox,
    }


@pytest.fixture(scope="session")
def live_site():
    with running_site(os.environ.get("DATABASE_URL", "")) as site:
        yield site


@pytest.fixture(scope="session")
def base_url(live_site):
    return live_site.url


@pytest.fixture
def complaints():
    """What the browser's consoles said; a test fails on any of it."""
    said = []
    yield said
    assert not said


@pytest.fixture
def new_person(new_context, complaints):
    """A fresh browser of one more person, whose complaints count."""

    def open_browser(**options):
        context = new_context(**options)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("console", lambda message: listen(message, complaints))
        context.set_default_timeout(15_000)
        return context.new_page()

    return open_browser


def listen(message, complaints):
    if message.type in {"error", "warning"} and not HARMLESS.search(message.text):
        complaints.append(message.text)
