"""The queue in a real browser: a place and a wait that count down, and then the run."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

LOAD = {
    "load": "custom",
    "levels": "1, 4",
    "repeat": "1",
    "prompt_tokens": "32",
    "max_tokens": "64",
}
WAIT = re.compile(r"queued, place 1, about \d+ s")
HEADER_LOG = """() => {
  const seen = (window.headers = []);
  const look = () => {
    const said = document.querySelector("#endpoint-state").innerText.split("·").pop();
    if (seen.at(-1) !== said.trim()) seen.push(said.trim());
  };
  look();
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.fixture
def two_loads(live_site):
    """Addresses of one that runs and one that waits; both are stopped afterwards."""
    slugs = [live_site.run(**LOAD), live_site.run(**LOAD)]
    live_site.wait_for(slugs[0], {"running"})
    yield [f"/lab/runs/{slug}/" for slug in slugs]
    for slug in reversed(slugs):
        live_site.post(f"/lab/runs/{slug}/stop/")
        live_site.wait_for(slug)


def status(page):
    return page.locator("[data-live=status]")


def test_a_waiting_load_says_its_place_and_starts_without_a_reload(
    new_person, live_site, two_loads
):
    first, second = two_loads
    page = new_person()
    page.goto(second)
    expect(status(page)).to_have_text(WAIT)
    page.evaluate(HEADER_LOG)
    live_site.post(f"{first}stop/")
    expect(status(page)).to_have_text("running")
    expect(page.locator("#endpoint-state")).to_contain_text("· running")
    page.get_by_role("button", name=re.compile("^Stop")).click()
    expect(page.get_by_text("Stopped before its end")).to_be_visible()


def test_a_load_that_begins_never_waits_for_an_idle_endpoint(new_person):
    page = new_person()
    page.goto("/lab/")
    page.get_by_label("A load of your own").check()
    page.get_by_label("Users, level by level").fill("1, 4")
    page.get_by_label("Prompt of this many tokens").fill("32")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/lab/runs/*/")
    page.evaluate(HEADER_LOG)
    expect(page.locator("#endpoint-state")).to_contain_text("· running")
    page.wait_for_timeout(1000)
    assert page.evaluate("headers") in (["starting", "running"], ["running"])
    page.get_by_role("button", name=re.compile("^Stop")).click()
    expect(page.locator("[data-again]")).to_be_visible()


def test_the_queue_is_live_and_stops_a_run(new_person, two_loads):
    page = new_person()
    page.goto("/lab/queue/")
    rows = page.locator("#queue tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("left")
    expect(rows.nth(1)).to_contain_text("in about")
    assert not Axe().run(page).response["violations"]
    page.get_by_role("button", name="Stop the run at place 1").click()
    page.wait_for_url(f"**{two_loads[1]}")
    page.go_back()
    expect(rows).to_have_count(1)


def test_without_javascript_a_waiting_load_says_its_place(new_person, two_loads):
    page = new_person(java_script_enabled=False)
    page.goto(two_loads[1])
    expect(status(page)).to_have_text(WAIT)
    page.goto("/lab/queue/")
    expect(page.locator("#queue tbody tr")).to_have_count(2)
