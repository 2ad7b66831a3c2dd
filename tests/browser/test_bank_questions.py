"""The bank and calibration: filters that swap the list, a sample rated and opened."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CARD = "One token budget per step"


def check(page):
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.looks
def test_a_choice_swaps_the_list_and_the_address(new_person):
    page = new_person()
    page.goto("/bank/")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^\d+ questions$"))
    page.get_by_label("Topic").select_option("scheduler")
    expect(page).to_have_url(re.compile(r"/bank/\?topic=scheduler$"))
    page.get_by_label("Search the bank").fill("budget")
    expect(page).to_have_url(re.compile(r"\?q=budget&topic=scheduler$"))
    expect(page.get_by_label("Search the bank")).to_be_focused()
    expect(page.get_by_role("link", name=CARD)).to_be_visible()
    page.reload()
    expect(page.get_by_label("Topic")).to_have_value("scheduler")


@pytest.mark.looks
def test_the_bank_is_filtered_without_javascript(new_person):
    page = new_person(java_script_enabled=False)
    page.goto("/bank/")
    page.get_by_label("Asked").select_option("never")
    page.get_by_label("Search the bank").fill("token budget")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(re.compile("asked=never"))
    page.get_by_role("link", name=CARD).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(CARD)
    expect(page.get_by_text("Follow-ups and what is expected")).to_be_visible()


@pytest.mark.parametrize("javascript", [True, False])
def test_a_sample_is_written_rated_and_opened(new_person, javascript):
    page = new_person(java_script_enabled=javascript)
    page.goto("/bank/cards/one-token-budget/")
    page.get_by_role("link", name="Write one").click()
    expect(page.get_by_label("Card")).to_have_value("one-token-budget")
    name = f"A middling answer {javascript}"
    page.get_by_label("Name").fill(name)
    page.get_by_label("Answer").fill("Decodes first.\n\nThen the waiting prompts.")
    page.get_by_role("button", name="Keep it for the panel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.get_by_label("L2", exact=True).check()
    page.get_by_label("Why, in the words of the answer").fill("It orders the steps.")
    page.get_by_role("button", name="Give this rating").click()
    expect(page.get_by_text("What the panel gave")).to_be_visible()
    expect(page.get_by_text("1 at L2")).to_be_visible()
    page.get_by_role("button", name="Retire this sample").click()
    expect(page.get_by_role("button", name="Take it back into use")).to_be_visible()


@pytest.mark.looks
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_a_sample(new_person, width):
    page = new_person(viewport={"width": width, "height": 844})
    page.goto("/bank/calibration/new/?card=one-token-budget")
    page.get_by_label("Name").fill("A long answer")
    page.get_by_label("Answer").fill("First the decodes. " * 120)
    page.get_by_role("button", name="Keep it for the panel").click()
    expect(page.get_by_text("The answer to rate")).to_be_visible()
    check(page)
    page.get_by_label("below L1").check()
    page.get_by_label("Why, in the words of the answer").fill("It names no limit.")
    page.get_by_role("button", name="Give this rating").click()
    expect(page.get_by_text("What the panel gave")).to_be_visible()
    check(page)


@pytest.mark.looks
def test_a_leak_is_flagged_and_taken_back(new_person):
    page = new_person()
    page.goto("/bank/cards/why-kv-cache/")
    page.get_by_label("Candidates know it").fill("A candidate recited it.")
    page.get_by_role("button", name="Flag as leaked").click()
    expect(page.get_by_text("A candidate recited it.")).to_be_visible()
    check(page)
    page.goto("/bank/?leak=yes")
    expect(page.locator(".entry")).to_have_count(1)
    check(page)
    page.goto("/bank/cards/why-kv-cache/")
    page.get_by_role("button", name="Take the flag back").click()
    expect(page.get_by_role("button", name="Flag as leaked")).to_be_visible()
