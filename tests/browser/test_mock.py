"""A mock interview in the browser: by keys, and without JavaScript."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.usefixtures("nothing_practised"),
]

# Four short questions, of three or four steps each.
ROLE, LEVEL = "GPU Kernel Engineering", "L2 Working"
QUESTION = re.compile(r"/mock/[0-9a-f-]{36}/\d+/")


def begin(page):
    page.goto("/mock/")
    page.get_by_label("Role").select_option(label=ROLE)
    page.get_by_label("Follow-ups up to").select_option(label=LEVEL)
    page.get_by_label("Time").select_option(label="20 minutes")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(QUESTION)
    return page.url.partition("/mock/")[2].partition("/")[0]


def looks_right(page):
    """axe in both themes, and nothing wider than a phone."""
    for scheme in ("light", "dark"):
        # Colours that still change from one theme to the other have any contrast.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(500)
        found = Axe().run(page).response["violations"]
        assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 800})


def press(page, key):
    """A key that sends a form or follows a link."""
    with page.expect_navigation():
        page.keyboard.press(key)


def send(page, name, within="main"):
    """Press the first button of this name, and wait for the page that follows."""
    with page.expect_navigation():
        page.locator(within).get_by_role("button", name=name).first.click()


def test_by_keys_from_the_first_question_to_the_report(new_person):
    page = new_person()
    page.goto("/mock/")
    looks_right(page)
    mock = begin(page)
    expect(page.get_by_role("heading", name="Question 1 of 4")).to_be_visible()
    expect(page.get_by_role("timer").first).to_have_text(re.compile(r"^0:0[1-9]$"))
    looks_right(page)

    notes = page.get_by_label("Answer aloud")
    with page.expect_response(re.compile(f"{mock}/1/text/$")) as kept:
        notes.fill("Blocks of 16 tokens.")
    assert kept.value.status == 204
    page.reload()
    expect(notes).to_have_value("Blocks of 16 tokens.")

    press(page, " ")
    asked = page.locator("#now")
    expect(asked).to_be_focused()
    expect(asked).to_contain_text("L1 Screen")
    expect(page.get_by_text("Blocks of 16 tokens.")).to_be_visible()
    looks_right(page)
    press(page, "s")
    expect(page.get_by_role("heading", name="Question 2 of 4")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Question 2 of 4")).to_be_visible()
    press(page, "s")
    press(page, "s")
    press(page, "S")

    expect(page.get_by_role("heading", name="The interview is over")).to_be_visible()
    looks_right(page)
    press(page, " ")
    grades = page.locator("#now")
    expect(grades.get_by_role("button", name="Solid")).to_be_visible()
    press(page, "3")
    expect(page.get_by_text("Solid.")).to_be_visible()
    press(page, "1")
    expect(page.get_by_text("Missed.")).to_be_visible()
    press(page, "z")
    expect(page.get_by_text("Missed.")).to_be_hidden()
    press(page, "2")
    tick = page.get_by_role("button", name="I said something like this").first
    send(page, "I said something like this")
    expect(tick).to_have_attribute("aria-pressed", "true")
    looks_right(page)
    for grade in ("1", "3", "1"):
        press(page, " ")
        press(page, grade)
    press(page, " ")

    expect(page.get_by_role("heading", name="Report")).to_be_visible()
    looks_right(page)
    expect(page.get_by_role("table")).to_contain_text("L1 Partly")
    unasked = re.compile(r"\d follow-ups? not asked")
    expect(page.locator("main")).to_contain_text(unasked)
    expect(page.get_by_role("heading", name="What to read")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("table")).to_be_visible()
    expect(page.locator(".next")).to_be_hidden()


def test_without_javascript_from_a_typed_seed_to_an_early_end(new_person):
    page = new_person(java_script_enabled=False)
    page.goto("/mock/?seed=5&minutes=20")
    expect(page.get_by_label("Seed")).to_have_value("5")
    page.get_by_role("button", name="Begin").click()
    expect(
        page.get_by_text(re.compile(r"began \d\d:\d\d, \d minutes planned"))
    ).to_be_visible()
    expect(page.get_by_role("timer").first).to_be_hidden()
    page.get_by_label("Answer aloud").fill("Said aloud.")
    page.get_by_role("button", name="Next follow-up").click()
    expect(page.get_by_text("Said aloud.")).to_be_visible()
    page.get_by_label("Answer aloud").fill("Half of it")
    page.get_by_text("End the interview here").click()
    page.get_by_role("button", name="End it now").click()

    page.get_by_role("link", name="Grade question 1").click()
    expect(page.get_by_text("Half of it")).to_be_visible()
    send(page, "Solid", "#now")
    send(page, "Partly", "#now")
    send(page, "I said something like this")
    send(page, "Take back the grade Partly")
    send(page, "Missed", "#now")
    page.get_by_role("link", name=re.compile("See the report|Question 2")).click()
    page.goto(page.url.rstrip("/").rpartition("/")[0] + "/report/")
    expect(page.get_by_role("table")).to_contain_text("L1 Missed")
    expect(page.locator("main")).to_contain_text("questions were not asked")
    expect(page.get_by_text("Seed 5:")).to_be_visible()
    expect(page.get_by_text("You said something like")).to_be_visible()
