"""Progress in a browser: after an answer, for everybody."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.usefixtures("nothing_practised"),
]
CARD = "two-phases-of-a-request"
PROGRESS, RECALLED = "/progress/?by=2099-01-01&level=L3", "/progress/recalled/weeks/"
PAGES = (PROGRESS, RECALLED, f"/progress/{CARD}/")


@pytest.fixture
def answered(nothing_practised, new_person):
    """One card was asked and missed, so that the pages have something to show."""
    page = new_person()
    page.goto("/practice/?q=two+phases+of+one+request")
    page.get_by_role("button", name=re.compile("^Practise")).click()
    page.get_by_text("Sure", exact=True).click()
    page.locator("[data-key~=Space]").first.click()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name=re.compile("^Missed")).click()
    return page


def opened(page, path):
    """With all of it there: the last weeks come after the rest."""
    page.goto(path)
    if path in (PROGRESS, RECALLED):
        expect(page.get_by_role("heading", name="Sure, but wrong")).to_be_visible()


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(answered, new_person, path, scheme):
    page = new_person(color_scheme=scheme)
    opened(page, path)
    for fold in page.locator("main details").all():
        fold.evaluate("fold => { fold.open = true }")
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wider_than_a_phone(answered, new_person, path):
    page = new_person(viewport={"width": 390, "height": 844})
    opened(page, path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_readiness_is_asked_by_keys_without_javascript(answered, new_person):
    page = new_person(java_script_enabled=False)
    page.goto("/progress/")
    page.get_by_label("Up to").select_option("L2")
    page.get_by_label("On", exact=True).fill("2099-12-12")
    page.get_by_role("button", name="Show").press("Enter")
    expect(page).to_have_url(re.compile("level=L2&by=2099-12-12"))
    expect(page.get_by_role("heading", name="Ready for Working by")).to_be_visible()
    page.get_by_role("link", name="The two phases of one request").first.click()
    expect(page.get_by_role("row", name=re.compile("Missed"))).to_be_visible()


def test_without_javascript_the_last_weeks_are_a_link_away(answered, new_person):
    page = new_person(java_script_enabled=False)
    page.goto("/progress/")
    page.get_by_role("link", name="The last twelve weeks").click()
    expect(page.get_by_role("heading", name="Sure, but wrong")).to_be_visible()
    expect(page.get_by_role("row", name="sure 1 0 0 1")).to_be_visible()
