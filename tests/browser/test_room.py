"""A room from its code to its replay: three browsers, a lost line, a killed server."""

import os
import re
import subprocess
import sys
from itertools import count

import pytest
from playwright.sync_api import expect

from tests.browser.network import cut, mend
from tests.live_site import ROOT, running_site

pytestmark = pytest.mark.browser

CARD = "/cards/two-phases-of-a-request/"
PASSWORD = "seven quiet otters"
SHARED = {
    "PREFILL_MODE": "shared",
    "SECRET_KEY": "k" * 25 + "0123456789abcdefghijklmnop",
    "ALLOWED_HOSTS": "127.0.0.1,localhost",
}
SECRET = "8613"
"""A guess that no page has by chance."""
PATIENCE_MS = 40_000
HOSTS = (f"Grace {number}" for number in count(1))


@pytest.fixture(scope="module")
def shared_site():
    with running_site(
        os.environ.get("DATABASE_URL", ""), PREFILL_MODE="shared"
    ) as site:
        yield site


def manage(site, *arguments):
    """What a command of the running installation prints."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        cwd=ROOT,
        env=site.environment
        | {"PREFILL_MODE": "shared", "PREFILL_DATA": str(site.data)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def sign_in(site, page, name):
    """As an owner does it who is invited from the command line."""
    page.goto(manage(site, "invite", "--role", "owner", "--url", site.url))
    page.get_by_label("Your name").fill(name)
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD)
    page.get_by_role("button", name="Make my account").click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


@pytest.fixture
def host(shared_site, new_person):
    """Signed in, under a name of this test's own: the site is for all of them."""
    page = new_person()
    sign_in(shared_site, page, next(HOSTS))
    return page


def open_room(site, host):
    """From a card to a room; its code."""
    host.goto(f"{site.url}{CARD}")
    host.get_by_role("link", name="Take it into a room").click()
    host.get_by_role("button", name="Open a room").click()
    host.wait_for_url(re.compile(r"/rooms/[\w-]{10,}/$"))
    link = host.locator("input[value*='/join/']").first.input_value()
    return link.rstrip("/").rpartition("/")[2]


def join(new_person, site, code, name):
    page = new_person()
    page.goto(f"{site.url}/join/")
    page.get_by_label(re.compile("code", re.I)).fill(code.lower())
    page.locator("main form button").last.click()
    page.get_by_label(re.compile("name", re.I)).fill(name)
    page.locator("main form button").last.click()
    page.wait_for_url(re.compile(r"/rooms/[\w-]{10,}/$"))
    return page


def predict(page, **said):
    for name, text in said.items():
        page.locator(f"#room-predict [name={name}]").fill(text)
    page.get_by_role("button", name="Lock my prediction").click()
    expect(page.locator("#room-predict caption")).to_contain_text("Locked")


def run(page, tokens):
    page.locator("#room-drive [name=max_tokens]").fill(str(tokens))
    page.locator("#room-drive form button").click()


def streams(page):
    """Its first token is there, and no end."""
    expect(
        page.locator("[data-instrument] [data-number=ttft] [data-value]")
    ).to_have_text(re.compile(r"^\d+$"), timeout=PATIENCE_MS)


def is_over(page, word="completed"):
    head = page.locator("#result .instrument__head .status")
    expect(head).to_have_text(word, timeout=PATIENCE_MS)


def numbers(page):
    cells = page.locator("#result .numbers__cell").all()
    return {
        cell.locator("dt").inner_text(): cell.locator(".numbers__value").inner_text()
        for cell in cells
    }


def hand_over(host, name):
    host.locator("#host-driving > summary").click()
    host.get_by_label("Hand over to").select_option(label=name)
    host.get_by_role("button", name="Hand over", exact=True).click()


def test_a_room_from_its_code_to_its_replay(shared_site, host, new_person):
    code = open_room(shared_site, host)
    ada = join(new_person, shared_site, code, "Ada")
    ben = join(new_person, shared_site, code, "Ben")
    people = (host, ada, ben)

    # Apart: nobody reads another's number, everybody reads how many there are.
    predict(ada, ttft=SECRET)
    predict(ben, ttft="300", tpot="30")
    for page in people:
        expect(page.locator("#room-predicted")).to_contain_text("2 of 3 have predicted")
    for page in (host, ben):
        page.reload()
        assert SECRET not in page.content()
        assert "8,613" not in page.content()

    # Whoever drives presses Run; all see the same numbers and everybody's guess.
    hand_over(host, "Ada")
    expect(ada.locator("#room-drive form button")).to_be_visible()
    expect(ben.locator("#room-drive form")).to_have_count(0)
    run(ada, 400)
    for page in people:
        streams(page)
    for page in people:
        is_over(page)
        expect(page.locator("#guesses tbody tr").first).to_contain_text("Ben")
    assert numbers(host) == numbers(ada) == numbers(ben)

    # The driver's network is gone for 20 s, in the middle of a run.
    run(ada, 500)
    for page in people:
        streams(page)
    cut(ada)
    ada.wait_for_timeout(20_000)
    is_over(host)
    mend(ada)
    is_over(ada)
    assert numbers(ada) == numbers(host)

    # The web process dies in the middle of a run and comes back: so do all seats.
    expect(ada.locator("#room-drive form button")).to_be_visible()
    run(ada, 500)
    for page in people:
        streams(page)
    shared_site.kill("web")
    for page in people:
        is_over(page)
    assert numbers(host) == numbers(ada) == numbers(ben)
    expect(ada.locator("#room-drive form button")).to_be_visible()

    # It ends, and its people read all of it, also who comes back later.
    end(host)
    for page in people:
        expect(page.get_by_role("heading", name="People")).to_be_visible()
        expect(page.locator("#room-step")).to_contain_text("Ada")
    replay(ben)


def end(host):
    host.locator("#host-end > summary").click()
    host.get_by_role("button", name="End the room for all").click()


def replay(page):
    page.locator("#room-step table.runs a").first.click()
    page.get_by_role("link", name="Replay at true speed").click()
    page.get_by_label("4×").check()
    page.get_by_role("button", name=re.compile("Play")).click()
    expect(page.locator("[data-number=ttft] [data-value]")).to_have_text(
        re.compile(r"^\d+$")
    )
    assert page.locator("form[method=post][action*='/run/']").count() == 0


def test_who_was_removed_while_away_reads_it(shared_site, host, new_person):
    ada = join(new_person, shared_site, open_room(shared_site, host), "Ada")
    expect(host.locator("[data-seat]")).to_have_count(2)
    cut(ada)
    expect(ada.locator("[data-lost]")).to_be_visible()
    host.locator("#host-seats > summary").click()
    host.get_by_text("Remove Ada…").click()
    host.get_by_role("button", name="Remove Ada").click()
    expect(host.locator("[data-seat]")).to_have_count(1)
    mend(ada)
    expect(ada.get_by_text("You no longer have a seat here")).to_be_visible()
    # It asks no more.
    asked = []
    ada.on("request", lambda request: asked.append(request.url))
    ada.wait_for_timeout(4_000)
    assert asked == []
