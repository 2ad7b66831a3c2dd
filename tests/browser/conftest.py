"""A real Chromium on the whole running product."""

import os
import re
import shutil

import httpx
import pytest
from playwright.sync_api import expect

from tests.live_site import running_site

QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
HARMLESS = re.compile(
    r"status of (403|404|409|422)"
    r"|ERR_(ABORTED|CONNECTION_REFUSED|INTERNET_DISCONNECTED)"
    r"|ERR_(INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_RESET)"
    r"|Failed to fetch"
)
CODE = re.compile("[A-Z0-9]{6}")
FORM_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
# On a busy machine news comes late; how late is for the benchmarks.
expect.set_options(timeout=15_000)


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


@pytest.fixture
def nothing_practised(live_site):
    """The owner of the shared site begins as somebody who has not practised yet."""
    address = f"{live_site.url}/data/delete/"
    with httpx.Client() as client:
        page = client.get(address).raise_for_status()
        token = FORM_TOKEN.search(page.text)[1]
        said = {"csrfmiddlewaretoken": token, "word": "delete"}
        deleted = client.post(address, data=said, headers={"Origin": live_site.url})
    assert deleted.status_code == 303, deleted.text


@pytest.fixture
def end_room():
    """For whoever opened one: what runs in it would make others wait."""

    def end(page):
        page.goto(page.url.partition("steps")[0].partition("presenter")[0])
        if page.locator("#host-end").count():
            page.locator("#host-end > summary").click()
            page.get_by_role("button", name="End the room for all").click()
            expect(page.get_by_text("This room ended on")).to_be_visible()

    return end


@pytest.fixture
def host(new_person, end_room):
    """The host's page of a fresh room; it is ended afterwards."""
    page = new_person()
    page.goto("/rooms/")
    page.get_by_label("What is it about?").fill("KV cache")
    page.get_by_role("button", name="Open a room").click()
    page.wait_for_url("**/rooms/*/")
    yield page
    end_room(page)


@pytest.fixture
def join(host, new_person):
    code = CODE.search(host.locator(".way-in__code").inner_text())[0]

    def sit(name, **options):
        page = new_person(**options)
        page.goto("/join/")
        page.get_by_label("The room’s code").fill(code.lower())
        page.get_by_role("button", name="To the door").click()
        page.get_by_label("Your name in this room").fill(name)
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_url("**/rooms/*/")
        return page

    return sit


def listen(message, complaints):
    if message.type in {"error", "warning"} and not HARMLESS.search(message.text):
        complaints.append(message.text)
