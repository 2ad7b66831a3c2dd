"""Own cards in a browser: checked while one types, saved, packed, brought in."""

import re
import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.bank.own_card import CARD

pytestmark = pytest.mark.browser

TEXT, PREVIEW = "The card, in Markdown", "#preview .preview__card"


@pytest.fixture(autouse=True)
def no_own_cards(live_site):
    """Other journeys count the cards of the site."""
    yield
    shutil.rmtree(live_site.data / "content" / "cards", ignore_errors=True)


def sound(page):
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


def write(page, text=CARD):
    page.goto("/bank/write/")
    page.get_by_label(TEXT).fill(text)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(re.compile("^Saved as"))).to_be_visible()


def test_problems_and_preview_follow_what_is_typed(new_person):
    page = new_person()
    page.goto("/bank/write/")
    field, problems = page.get_by_label(TEXT), page.locator("#preview [role=status]")
    field.fill(CARD)
    expect(page.locator(PREVIEW)).to_contain_text("What does our cache cost?")
    expect(problems).not_to_contain_text("error")
    field.fill(CARD.replace("needs: []", "needs: [no-such]"))
    expect(problems).to_contain_text("1 error")
    page.get_by_role("link", name="12:9").click()
    expect(field).to_be_focused()
    start = page.evaluate("document.activeElement.selectionStart")
    assert CARD.replace("needs: []", "needs: [no-such]")[start:].startswith("no-such")
    page.keyboard.type("one-token-budget, ")
    for _ in range(len("no-such")):
        page.keyboard.press("Delete")
    for _ in range(2):
        page.keyboard.press("Backspace")
    expect(problems).not_to_contain_text("error")


def test_what_is_open_stays_open_while_one_types(new_person):
    page = new_person()
    write(page)
    page.get_by_text("Short answer", exact=True).click()
    answer = page.locator(PREVIEW).get_by_text("Needle in the answer")
    expect(answer).to_be_visible()
    page.get_by_label(TEXT).fill(CARD.replace("What does our", "How much is our"))
    expect(page.locator(PREVIEW)).to_contain_text("How much is our")
    expect(answer).to_be_visible()


def test_a_preview_has_three_readers(new_person):
    page = new_person()
    write(page)
    answer = page.locator(PREVIEW).get_by_text("Needle in the answer")
    expect(answer).to_be_hidden()
    page.get_by_label("interviewer").check()
    expect(answer).to_be_visible()
    page.get_by_label("print").check()
    expect(answer).to_have_count(0)
    expect(page.locator(PREVIEW)).to_contain_text("What does our cache cost?")


def test_paper_has_the_preview_alone(new_person):
    page = new_person()
    write(page)
    page.get_by_label("print").check()
    expect(page.locator(".sheet__room").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_label(TEXT)).to_be_hidden()
    expect(page.locator("#problems-title")).to_be_hidden()
    expect(page.locator(PREVIEW)).to_be_visible()


def test_what_is_not_saved_is_not_left_by_mistake(new_person):
    page = new_person()
    page.goto("/bank/write/")
    page.get_by_label(TEXT).press_sequentially("x")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.get_by_role("link", name="Own cards", exact=True).click()
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"]
    expect(page).to_have_url(re.compile("/bank/write/$"))


def test_two_people_see_both_texts(new_person):
    first, second = new_person(), new_person()
    write(first)
    second.goto("/bank/cards/my-card/edit/")
    first.get_by_label(TEXT).fill(CARD.replace("only a cache", "just a cache"))
    first.get_by_role("button", name="Save", exact=True).click()
    expect(first.get_by_text("Saved as kit-only.")).to_be_visible()
    second.get_by_label(TEXT).fill(CARD.replace("both are memory", "both take memory"))
    second.get_by_role("button", name="Save", exact=True).click()
    alert = second.get_by_role("alert")
    expect(alert).to_contain_text("Somebody saved this card")
    expect(alert.locator("del")).to_contain_text(["just a cache", "both are memory"])
    expect(alert.locator("ins")).to_contain_text(["only a cache", "both take memory"])
    expect(second.get_by_label(TEXT)).to_have_value(re.compile("both take memory"))
    sound(second)


def test_without_javascript_a_card_is_checked_and_saved(new_person):
    page = new_person(java_script_enabled=False)
    page.goto("/bank/write/")
    page.get_by_label(TEXT).fill(CARD.replace("needs: []", "needs: [no-such]"))
    page.get_by_label("interviewer").check()
    page.get_by_role("button", name="Check and preview").click()
    expect(page.get_by_role("link", name="12:9")).to_be_visible()
    expect(page.locator(PREVIEW)).to_contain_text("Needle in the answer")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Not saved.")
    page.get_by_role("button", name="Save as a draft").click()
    expect(page.get_by_text("Saved as draft.")).to_be_visible()


def test_a_pack_goes_out_and_comes_in(new_person, live_site, tmp_path):
    page = new_person()
    write(page)
    page.goto("/bank/packs/")
    with page.expect_download() as download:
        page.get_by_role("link", name="All own cards as a pack").click()
    pack = Path(shutil.move(download.value.path(), tmp_path / "pack.zip"))
    page.get_by_role("link", name="What a cache costs").click()
    page.get_by_label(TEXT).fill(CARD.replace("only a cache", "just a cache"))
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/bank/packs/")
    page.get_by_label("A zip, or Markdown files").set_input_files(pack)
    page.get_by_role("button", name="Show what it would change").click()
    page.get_by_text("What changes", exact=True).click()
    expect(page.locator("ins")).to_contain_text("only a cache")
    sound(page)
    page.get_by_role("button", name="Import 1 card").click()
    expect(page.get_by_text("1 card imported.")).to_be_visible()
    file = live_site.data / "content" / "cards" / "kv-cache" / "my-card.md"
    assert file.read_text() == CARD


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["/bank/write/", "/bank/packs/"])
def test_the_pages_are_sound_and_fit_a_phone(new_person, scheme, address):
    page = new_person(color_scheme=scheme, viewport={"width": 390, "height": 844})
    page.goto(address)
    sound(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
