"""One's own on a card, and the search: kept, never overwritten, by keyboard, live."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.usefixtures("nothing_practised"),
]

# The study data of the site is deleted before each test, notes included.
NOTED, FLAGGED = "/cards/one-token-budget/", "/cards/why-kv-cache/"


def write(page, text):
    page.locator("#mine-write").click()
    page.get_by_label("Your note, which nobody else sees").fill(text)


def save(page):
    page.get_by_role("button", name="Save the note").click()


def test_a_note_is_kept_and_two_tabs_do_not_overwrite_each_other(new_person):
    first = new_person()
    first.goto(NOTED)
    second = new_person()
    second.goto(NOTED)
    expect(second.locator("#mine-write")).to_have_text("Write a note")
    write(first, "say the roofline\nhttps://example.org")
    save(first)
    expect(first.locator("#mine-write")).to_be_focused()
    expect(first.get_by_text("Saved.")).to_be_visible()
    first.reload()
    text = first.locator(".mine__text")
    expect(text).to_contain_text("say the roofline")
    expect(text.get_by_role("link")).to_have_count(0)

    write(second, "name the KV cache")
    save(second)
    expect(second.get_by_role("alert")).to_contain_text("Not saved")
    expect(second.locator(".mine__text")).to_contain_text("say the roofline")
    field = second.get_by_label("Your note, which nobody else sees")
    expect(field).to_have_value("name the KV cache")
    expect(field).to_be_focused()
    found = Axe().run(second).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
    field.fill("say the roofline, name the KV cache")
    save(second)
    expect(second.get_by_role("alert")).to_have_count(0)
    first.reload()
    expect(text).to_have_text("say the roofline, name the KV cache")


def test_a_flag_by_keyboard_spares_what_is_being_typed(new_person):
    page = new_person()
    page.goto(FLAGGED)
    flag = page.locator("#mine-flag")
    expect(flag).to_have_attribute("aria-pressed", "false")
    write(page, "half a thou")
    page.keyboard.press("f")
    field = page.get_by_label("Your note, which nobody else sees")
    expect(field).to_have_value("half a thouf")
    page.locator("#mine-write").focus()
    page.keyboard.press("f")
    expect(flag).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#mine-done")).to_have_text("Flagged.")
    expect(field).to_have_value("half a thouf")
    page.goto("/cards/?mine=flagged")
    expect(page.locator(".entry__mark", has_text="flagged")).to_have_count(1)
    page.goto(FLAGGED)
    expect(flag).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("f")
    expect(flag).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_part_on_a_card_is_sound_and_fits_a_phone(new_person, scheme):
    page = new_person(color_scheme=scheme, viewport={"width": 390, "height": 844})
    page.goto(FLAGGED)
    page.locator("#mine-write").click()
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_javascript_a_link_leads_to_a_page_that_does_it_all(new_person):
    page = new_person(java_script_enabled=False)
    page.goto("/cards/two-phases-of-a-request/")
    page.get_by_role("link", name="Your note, your flag").click()
    page.get_by_role("button", name="Suspend it").click()
    expect(page.get_by_text("practice asks neither this card")).to_be_visible()
    page.get_by_role("button", name="Resume it").click()
    expect(page.get_by_text("It is asked again.")).to_be_visible()
    page.goto("/search/")
    page.get_by_role("searchbox").fill("prefill")
    page.get_by_role("searchbox").press("Enter")
    expect(page).to_have_url(re.compile(r"/search/\?q=prefill$"))
    expect(page.get_by_role("heading", name="Cards", exact=True)).to_be_visible()


def test_a_slash_leads_to_the_search_which_finds_while_one_types(new_person):
    page = new_person()
    page.goto("/manual/")
    # The help's button says that the page listens to keys.
    expect(page.get_by_role("button", name="Keyboard")).to_be_visible()
    page.keyboard.press("/")
    page.wait_for_url("**/search/")
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    field.press_sequentially("prefll", delay=20)
    expect(page).to_have_url(re.compile(r"/search/\?q=prefll$"))
    expect(page.locator("mark").first).to_be_visible()
    expect(field).to_be_focused()
    page.reload()
    expect(field).to_have_value("prefll")
