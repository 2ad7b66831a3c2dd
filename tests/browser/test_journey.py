"""The main job, as a candidate does it: from a card to a run and back."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CARD = "/cards/two-phases-of-a-request/"


def test_from_a_card_over_the_manual_to_a_live_run(new_person):
    page = new_person()
    page.goto("/")
    page.get_by_role("navigation").get_by_role("link", name="Cards").click()
    page.get_by_role("link", name="The two phases of one request").first.click()
    open_the_answers(page)
    page.get_by_role("link", name=re.compile("1.3 What happens")).click()
    expect(page).to_have_url(re.compile("/manual/1.3/$"))
    expect(page.get_by_role("figure")).to_have_count(2)
    page.go_back()
    page.get_by_role("navigation").get_by_role("link", name="Lab").click()

    run = start_a_run(page, ttft="400", tpot="0.025 s")
    second = new_person()
    second.goto(run)
    watch_it_live(page)
    expect(page.locator("#result .instrument__head")).to_contain_text("completed")
    expect(second.locator("#result .instrument__head")).to_contain_text("completed")
    for one in (page, second):
        expect(one.locator("#result")).not_to_contain_text("TPOT so far")
    assert numbers(page) == numbers(second)
    assert float(numbers(page)["TTFT"].split()[0]) > 100
    expect(page.locator("#result")).to_contain_text("400 ms")
    expect(page.locator("#result svg").first).to_be_visible()
    # A late browser, long after the end, sees the same.
    late = new_person()
    late.goto(run)
    assert numbers(late) == numbers(page)

    page.get_by_role("link", name="Replay at true speed").click()
    replay(page)


def open_the_answers(page):
    answer = page.locator("details", has=page.get_by_text("Short answer", exact=True))
    expect(answer.locator("[data-revealed]")).to_be_hidden()
    # The footer's button says that the page listens to keys.
    expect(page.get_by_role("button", name="Open the short answer")).to_be_visible()
    page.keyboard.press("Space")
    expect(answer.locator("[data-revealed]")).to_be_visible()
    page.get_by_text("Full answer", exact=True).click()
    expect(page.get_by_role("table").first).to_be_visible()
    rungs = page.locator(".rung")
    expect(rungs).to_have_count(5)
    for rung in rungs.all():
        expect(rung.locator("[data-revealed]")).to_be_hidden()
        rung.get_by_text("Expected answer").click()
        expect(rung.locator("[data-revealed]")).to_be_visible()
    page.get_by_text(re.compile(r"\d wrong answers, and why")).click()
    expect(page.locator(".wrong").first).to_be_visible()


def start_a_run(page, *, tokens="96", **predictions):
    """Fill the form and press Run; the address of the run's page."""
    page.goto("/lab/")
    page.get_by_label("Your own text").check()
    page.get_by_role("textbox", name="Your text").fill("Tell me about this machine.")
    page.get_by_label("Answer, tokens at most").fill(tokens)
    for name, value in predictions.items():
        page.locator(f"[name={name}]").fill(value)
    page.get_by_role("button", name="Run").click()
    page.wait_for_url(re.compile(r"/lab/runs/[\w-]{6,}/$"))
    return page.url


def watch_it_live(page):
    """The first token's time appears before the end, and the strip grows."""
    live = page.locator("[data-instrument]")
    expect(live.locator("[data-number=ttft] [data-value]")).to_have_text(
        re.compile(r"^\d+$")
    )
    expect(live.locator(".phase--decode")).to_contain_text("of 96")
    early = gaps_drawn(page)
    expect(live.locator("[data-number=tpot] [data-value]")).to_have_text(
        re.compile(r"^\d+\.\d$")
    )
    page.wait_for_timeout(800)
    assert gaps_drawn(page) > early
    expect(page.locator("[data-announcer]")).to_contain_text("irst token")


def gaps_drawn(page):
    label = page.locator("[data-canvas]").get_attribute("aria-label")
    digits = re.search(r"\d+", label.replace(",", ""))
    return int(digits[0]) if digits else 0


def numbers(page):
    """The stat row of a run that is over: name -> text."""
    cells = page.locator("#result .numbers__cell").all()
    return {
        cell.locator("dt").inner_text(): cell.locator(".numbers__value").inner_text()
        for cell in cells
    }


def replay(page):
    page.get_by_label("4×").check()
    page.get_by_role("button", name=re.compile("Play")).click()
    value = page.locator("[data-number=ttft] [data-value]")
    expect(value).to_have_text(re.compile(r"^\d+$"))
    expect(page.locator(".phase--decode")).to_contain_text("of 96")


def test_stop_ends_a_run_with_what_arrived(new_person):
    page = new_person()
    start_a_run(page, tokens="512")
    expect(page.locator("[data-number=tpot] [data-value]")).to_have_text(
        re.compile(r"\d")
    )
    page.keyboard.press(".")
    expect(page.locator("#result .instrument__head")).to_contain_text("cancelled")
    assert numbers(page)["TTFT"] != "–"


def test_a_cut_connection_resumes_without_a_missing_token(new_person):
    page = new_person()
    run = start_a_run(page, tokens="200")
    expect(page.locator("[data-number=tpot] [data-value]")).to_have_text(
        re.compile(r"\d")
    )
    page.context.set_offline(True)
    page.wait_for_timeout(1500)
    page.context.set_offline(False)
    expect(page.locator("#result .instrument__head")).to_contain_text(
        "completed", timeout=30_000
    )
    after = new_person()
    after.goto(run)
    assert numbers(after) == numbers(page)


@pytest.mark.looks
def test_a_wrong_form_says_what_to_do_and_keeps_what_was_typed(new_person):
    page = new_person()
    page.goto("/lab/")
    page.get_by_label("Your own text").check()
    page.get_by_role("textbox", name="Your text").fill("Hello")
    page.get_by_label("Answer, tokens at most").fill("100000")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("512 tokens at most")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value("Hello")


@pytest.mark.looks
def test_search_finds_a_card_while_typing_and_the_address_keeps_it(new_person):
    page = new_person()
    page.goto("/cards/")
    page.get_by_role("searchbox").press_sequentially("prefll phases", delay=20)
    expect(page).to_have_url(re.compile("prefll.phases"))
    expect(
        page.get_by_role("link", name="The two phases of one request")
    ).to_be_visible()
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("prefll phases")


@pytest.mark.looks
def test_the_keyboard_can_be_switched_off(new_person):
    page = new_person()
    page.goto(CARD)
    expect(page.get_by_role("button", name="Open the short answer")).to_be_visible()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    dialog.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    expect(page.locator("[data-revealed]").first).to_be_hidden()
