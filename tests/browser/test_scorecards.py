"""A scorecard from review to debrief in a real browser, and how its pages look."""

import re
import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.live_site import ROOT

pytestmark = pytest.mark.browser
# The site's owner and two colleagues: all have marked everything, and the colleagues'
# scorecards are in. What is printed after "made" is the interview's id.
PLAN = """
import django; django.setup()
from uuid import uuid4
from interview.accounts.models import Role, User
from interview.bank.models import Note
from tests.bank import stage
owner = User.objects.get(name="owner")
panel = [owner] + [
    User.objects.create(name=f"{name} {uuid4().hex[:6]}", role=Role.INTERVIEWER)
    for name in ("Ben", "Cem")
]
cards = (stage.FIRST, stage.SECOND, stage.THIRD)
interview = stage.interview(stage.kit(owner, *cards), panel)
for person, ratings in zip(panel, ([3, 0, 2], [2, 4, 2], [3, 1, None])):
    card = stage.score(interview, person, ratings)
    Note.objects.write(card.in_order()[0], uuid4(), "Named both limits", rung_id="",
                       at_s=75, revision=0, now=stage.NOW)
    if person != owner:
        card.submit(stage.rungs_of(interview), stage.NOW)
print("made", interview.pk)
"""
PAGES = ("review/", "revise/1/", "debrief/", "debrief/?order=kit", "scorecard/print/")


def plan(site):
    """The address of an interview, and of every page of it the beginning."""
    made = subprocess.run(
        [sys.executable, "-c", PLAN],
        cwd=ROOT,
        env=site.environment
        | {
            "PREFILL_DATA": str(site.data),
            "DJANGO_SETTINGS_MODULE": "interview.settings",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    found = re.search("^made (.*)$", made.stdout, re.MULTILINE)
    return f"{site.url}/bank/interviews/{found[1]}/"


@pytest.fixture(scope="module")
def submitted(live_site, browser):
    here = plan(live_site)
    page = browser.new_page()
    page.goto(f"{here}review/")
    page.get_by_role("button", name="Submit the scorecard").click()
    expect(page.get_by_role("heading", name="All 3 are in")).to_be_visible()
    page.context.close()
    return here


def test_without_javascript_a_scorecard_is_submitted_debriefed_and_revised(
    new_person, live_site
):
    page, here = new_person(java_script_enabled=False), plan(live_site)
    page.goto(f"{here}debrief/")
    expect(page.get_by_text("stays closed until your own scorecard")).to_be_visible()
    assert "Named both limits" not in page.content()

    page.goto(f"{here}review/")
    page.get_by_label("What you conclude").fill("Calm, and exact about memory.")
    page.get_by_role("button", name="Save the summary").click()
    expect(page.get_by_text("Your summary is saved.")).to_be_visible()
    page.get_by_role("button", name="Submit the scorecard").click()

    expect(page.get_by_role("heading", name="All 3 are in")).to_be_visible()
    titles = page.locator("#questions ~ .score .score__title")
    expect(titles.first).to_contain_text("2. ")
    page.get_by_role("link", name="Kit order").click()
    expect(titles.first).to_contain_text("1. ")
    expect(page.get_by_text("Calm, and exact about memory.")).to_be_visible()

    page.goto(f"{here}review/")
    page.get_by_role("link", name="Revise question 2").click()
    first = page.get_by_role("group").filter(has_text="L1").first
    first.get_by_label("met", exact=True).check()
    page.get_by_label("Why you change it").fill("Ben wrote down the answer.")
    page.get_by_role("button", name="Revise the question").click()
    changed = page.locator("#question-2 .score__changes")
    expect(changed).to_contain_text("below L1")
    expect(changed.locator("ins").first).to_have_text("L1")
    expect(changed).to_contain_text("Ben wrote down the answer.")


@pytest.mark.parametrize("kind", ["Markdown", "JSON", "CSV"])
def test_the_debrief_is_taken_along(new_person, submitted, kind):
    page = new_person()
    page.goto(f"{submitted}debrief/")
    with page.expect_download() as found:
        page.get_by_role("link", name=kind).click()
    assert "Named both limits" in found.value.path().read_text()


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(new_person, submitted, path, scheme):
    page = new_person(color_scheme=scheme)
    page.goto(f"{submitted}{path}")
    for fold in page.locator("main details").all():
        fold.evaluate("fold => { fold.open = true }")
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


@pytest.mark.looks
@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wider_than_a_phone(new_person, submitted, path):
    page = new_person(viewport={"width": 390, "height": 844})
    page.goto(f"{submitted}{path}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.looks
def test_on_paper_stands_what_was_marked_and_nothing_to_press(new_person, submitted):
    page = new_person()
    page.goto(f"{submitted}debrief/")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Levels reached")).to_be_visible()
    expect(page.get_by_role("link", name="Kit order")).to_be_hidden()
    expect(page.get_by_role("link", name="Markdown")).to_be_hidden()
