"""Every page, for everybody: axe, both themes, phone width, JavaScript off."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CARD = "/cards/two-phases-of-a-request/"
PAGES = {
    "home": "/",
    "cards": "/cards/",
    "nothing found": "/cards/?q=zzzzqqq",
    "card": CARD,
    "card, questions printed": f"{CARD}print/",
    "card, answers printed": f"{CARD}print/?answers=1",
    "yours": f"{CARD}mine/",
    "search": "/search/?q=prefill",
    "nothing searched": "/search/",
    "manual": "/manual/",
    **{
        f"section {number}": f"/manual/{number}/"
        for number in ("1.1", "1.2", "1.3", "1.4", "2.1", "4.2", "4.4", "8.2")
    },
    "terms": "/terms/",
    "data": "/data/",
    "data, to delete": "/data/delete/",
    "data, to import": "/data/import/",
    "drill": "/cards/print/?topic=kv-cache",
    "lab": "/lab/",
    "numbers": "/lab/numbers/",
    "runs": "/lab/runs/",
    "experiment": "/lab/experiments/one-request/",
    "completed run": "/lab/runs/{completed}/",
    "replay": "/lab/runs/{completed}/replay/",
    "failed run": "/lab/runs/{cancelled}/",
    "bank": "/bank/",
    "card of the bank": "/bank/cards/two-phases-of-a-request/",
    "calibration": "/bank/calibration/",
    "sample, to write": "/bank/calibration/new/",
    "not found": "/no/such/page/",
}


@pytest.fixture(scope="session")
def runs(live_site):
    completed = live_site.run(max_tokens="24", ttft="400")
    cancelled = live_site.run(max_tokens="512")
    live_site.wait_for(completed)
    live_site.wait_for_tokens(cancelled, 4)
    live_site.post(f"/lab/runs/{cancelled}/stop/")
    live_site.wait_for(cancelled)
    return {"completed": completed, "cancelled": cancelled}


@pytest.mark.looks
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(new_person, runs, name, scheme):
    page = new_person(color_scheme=scheme)
    page.goto(PAGES[name].format(**runs))
    for fold in page.locator("main details").all():
        fold.evaluate("fold => { fold.open = true }")
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


@pytest.mark.looks
def test_axe_finds_nothing_while_a_run_is_live(new_person, live_site):
    page = new_person()
    slug = live_site.run(max_tokens="256")
    page.goto(f"/lab/runs/{slug}/")
    expect(page.locator("[data-number=tpot] [data-value]")).to_have_text(
        re.compile(r"\d")
    )
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


@pytest.mark.looks
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_a_phone(new_person, runs, name):
    page = new_person(viewport={"width": 390, "height": 844})
    page.goto(PAGES[name].format(**runs))
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


@pytest.mark.looks
@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_nobody_else(new_person, runs, base_url, name):
    page = new_person()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(PAGES[name].format(**runs))
    page.wait_for_load_state("load")
    assert asked
    assert [url for url in asked if not url.startswith(base_url)] == []


@pytest.mark.looks
def test_a_card_reads_without_javascript(new_person):
    page = new_person(java_script_enabled=False)
    page.goto(CARD)
    page.get_by_text("Short answer", exact=True).click()
    expect(page.locator("[data-revealed]").first).to_be_visible()


@pytest.mark.looks
def test_cards_are_found_without_javascript(new_person):
    page = new_person(java_script_enabled=False)
    page.goto("/cards/")
    page.get_by_role("searchbox").fill("scheduler budget")
    page.get_by_role("searchbox").press("Enter")
    expect(page).to_have_url(re.compile("q=scheduler"))
    expect(page.get_by_role("link", name="One token budget per step")).to_be_visible()


def test_a_run_is_measured_without_javascript(new_person):
    page = new_person(java_script_enabled=False)
    page.goto("/lab/")
    page.get_by_label("Your own text").check()
    page.get_by_role("textbox", name="Your text").fill("Hello")
    page.get_by_label("Answer, tokens at most").fill("16")
    page.get_by_role("button", name="Run").click()
    head = page.locator("#result .instrument__head")
    expect(head).to_contain_text("completed", timeout=30_000)
    expect(page.locator("#result .numbers__value").first).to_contain_text(
        re.compile(r"\d")
    )


@pytest.mark.looks
def test_the_theme_is_kept_and_works_without_javascript(new_person):
    page = new_person(java_script_enabled=False, color_scheme="light")
    page.goto("/manual/")
    page.get_by_role("button", name="dark").click()
    expect(page).to_have_url(re.compile("/manual/$"))
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.looks
def test_print_shows_what_is_folded_on_screen(new_person):
    page = new_person()
    page.goto(f"{CARD}print/?answers=1")
    page.emulate_media(media="print")
    expect(page.get_by_text("one token budget").first).to_be_visible()
    page.goto(f"{CARD}print/")
    assert page.get_by_text("one token budget").count() == 0
