"""A whole interview: a kit, two interviewers, a candidate, a debrief."""

import json
import os
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.team import SHARED, join
from tests.live_site import running_site

pytestmark = pytest.mark.browser
CARDS = {
    "One token budget per step": "token budget",
    "TPOT and ITL are two numbers": "TPOT and ITL",
    "The two phases of one request": "two phases",
}
QUESTION = "Say what the GPU does between the arrival and the last token."


@pytest.fixture(scope="module")
def team_site():
    with running_site(os.environ.get("DATABASE_URL", ""), **SHARED) as found:
        yield found


def build_kit(page, site):
    """Three cards are found and added; the first becomes the last."""
    page.goto(f"{site.url}/bank/kits/")
    page.get_by_role("region", name="A new kit").get_by_label("Title").fill(
        "Senior screen"
    )
    page.get_by_role("button", name="Begin").click()
    for title, words in CARDS.items():
        page.get_by_label("Words of a card").fill(words)
        page.get_by_role("button", name="Find", exact=True).click()
        page.get_by_role("button", name=f"Add {title}").click()
        expect(page.locator(".kit__rows")).to_contain_text(title)
    warned = page.get_by_role("complementary", name="About the kit")
    expect(warned).to_contain_text("It builds on")
    for position in ("3", "2"):
        page.get_by_role("button", name=f"Move question {position} up").click()
    expect(warned).to_contain_text("Nothing stands against it")
    titles = page.locator(".kit__rows > li").all_inner_texts()
    assert "two phases" in titles[0]
    page.get_by_role("link", name="Plan an interview").click()


def plan_it(page, colleague):
    plan = page.locator("#plan")
    plan.get_by_label("Candidate").fill("Ada L.")
    plan.get_by_label(colleague).check()
    plan.get_by_role("button", name="Plan it").click()
    expect(page.get_by_role("heading", name="Ada L.")).to_be_visible()
    here = page.url.partition("#")[0]
    page.get_by_role("button", name="Make the link").click()
    return here, page.get_by_label("The link").input_value()


def take_a_seat(page, link):
    page.goto(link)
    expect(page.get_by_text("3 questions")).to_be_visible()
    page.get_by_role("button", name="Take your seat").click()
    expect(page).to_have_url(re.compile("/candidate/at/"))


def rate(page, here, ratings):
    """By keys alone, from the first question to the review."""
    page.goto(f"{here}console/1/")
    for position, rating in enumerate(ratings, start=1):
        expect(page.get_by_text(f"Question {position} of 3")).to_be_visible()
        page.keyboard.press(rating)
        expect(page.locator("[data-state]")).to_have_text(re.compile(r"^Saved \d"))
        if position < len(ratings):
            with page.expect_navigation():
                page.keyboard.press("j")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    expect(page).to_have_url(f"{here}review/")


def submit(page):
    page.get_by_label("What you conclude").fill("Names the bytes before the numbers.")
    page.get_by_role("button", name="Submit the scorecard").click()


def test_from_a_kit_to_the_debrief(new_person, team_site):
    ian, mia, ada = new_person(), new_person(), new_person()
    join(ian, team_site, "Ian")
    join(mia, team_site, "Mia")
    build_kit(ian, team_site)
    here, link = plan_it(ian, "Mia")
    take_a_seat(ada, link)
    expect(ada.locator("main")).not_to_contain_text(QUESTION)

    ian.goto(f"{here}console/")
    ian.keyboard.press("p")
    expect(ada.locator("main")).to_contain_text(QUESTION)
    assert "weights" not in ada.content()
    rate(ian, here, "423")
    rate(mia, here, "223")

    submit(ian)
    expect(ian.get_by_role("heading", name="1 of 2 are in")).to_be_visible()
    mia.goto(f"{here}debrief/")
    expect(mia.get_by_text("stays closed until your own scorecard")).to_be_visible()
    mia.goto(f"{here}review/")
    submit(mia)
    expect(mia.get_by_role("heading", name="All 2 are in")).to_be_visible()
    ian.goto(f"{here}debrief/")
    widest = ian.locator(".score__title").first
    expect(widest).to_contain_text("The two phases of one request")

    with mia.expect_download() as taken:
        mia.get_by_role("link", name="JSON").click()
    found = json.loads(taken.value.path().read_text())
    assert {card["interviewer"] for card in found["scorecards"]} == {"Ian", "Mia"}


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_kits_are_sound_and_fit_a_phone(new_person, team_site, scheme):
    page = new_person(color_scheme=scheme, viewport={"width": 390, "height": 844})
    join(page, team_site, f"Kay {scheme}")
    kits = f"{team_site.url}/bank/kits/"
    page.goto(kits)
    page.get_by_role("region", name="A new kit").get_by_label("Title").fill(
        f"A {scheme} kit"
    )
    page.get_by_role("button", name="Begin").click()
    page.get_by_label("Words of a card").fill("token budget")
    page.get_by_role("button", name="Find", exact=True).click()
    page.get_by_role("button", name="Add One token budget per step").click()
    kit = page.url.partition("?")[0].partition("#")[0]
    for path in (kits, kit, f"{kit}versions/1/", f"{kit}print/"):
        page.goto(path)
        found = Axe().run(page).response["violations"]
        assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    # A level that must not be the last on its sheet would glue a question to the next.
    page.goto(f"{kit}versions/1/")
    page.emulate_media(media="print")
    glue = "all => new Set(all.map(one => getComputedStyle(one).breakAfter))"
    levels = page.locator(".kit__row .level")
    assert levels.evaluate_all(f"all => [...({glue})(all)]") == ["auto"]
    page.goto(kit)
    on_paper = page.get_by_role("region", name="Questions")
    expect(on_paper).to_contain_text("One token budget per step")
