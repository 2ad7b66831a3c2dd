"""The candidate's browser beside the interview: news without a touch, lost and back."""

import os
import re
import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.live_site import ROOT

pytestmark = pytest.mark.browser

SETUP = """
from django.utils import timezone
from interview.accounts.models import User
from interview.bank.models import Interview
from tests.bank import stage
me, now = User.objects.local_owner(), timezone.now()
"""
PLAN = "stage.kit(me, stage.FIRST, stage.SECOND, title='Second browser')"
AT = """
one = Interview.objects.get(pk="{}")
first, second = one.in_order()
"""
FOLLOW_UP = "one.put(first, first.question.rungs_named[0], now)"
QUESTION = "Say what the GPU does between the arrival and the last token."


@pytest.fixture(scope="module")
def site(live_site):
    """Runs code in a process of the site, as its console would do it: at the interview
    whose candidate's page it is."""

    def run(code, page=None):
        if page:
            code = AT.format(page.url.rstrip("/").rpartition("/")[2]) + code
        subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", SETUP + code],
            cwd=ROOT,
            env=os.environ | live_site.environment | {"PREFILL_DATA": live_site.data},
            check=True,
        )

    run(PLAN)
    return run


@pytest.fixture
def planned(site, new_person):
    """The page of an interview, and the link that its candidate was sent."""

    def plan(**options):
        page = new_person(**options)
        page.goto("/bank/interviews/")
        form = page.locator("#plan")
        form.get_by_label("Kit").select_option("Second browser")
        form.get_by_label("Candidate").fill("Ada L.")
        form.get_by_role("button", name="Plan it").click()
        expect(page.get_by_role("heading", name="Ada L.")).to_be_visible()
        there = page.url
        page.get_by_role("button", name="Make the link").click()
        link = page.get_by_label("The link").input_value()
        page.goto(there)
        return page, link

    return plan


def sit(page, link):
    page.goto(link)
    page.get_by_role("button", name="Take your seat").click()
    expect(page).to_have_url(re.compile("/candidate/at/"))
    return page


def test_the_candidate_sees_what_is_put_without_a_touch(site, planned, new_person):
    _, link = planned()
    page = sit(new_person(), link)
    expect(page.get_by_text("The first question appears here")).to_be_visible()
    site("one.put(first, '', now)", page)
    expect(page.get_by_role("heading", name="Question 1 of 2")).to_be_visible()
    expect(page.get_by_text(QUESTION)).to_be_visible()
    site(FOLLOW_UP, page)
    expect(page.get_by_text("Question 1 of 2, follow-up")).to_be_visible()
    expect(page.get_by_text(QUESTION)).to_be_hidden()
    site("one.end(me, now)", page)
    expect(page.get_by_text("The interview is over.")).to_be_visible()


def test_nothing_moves_on_the_page_while_there_is_no_news(site, planned, new_person):
    _, link = planned()
    page = sit(new_person(), link)
    site("one.put(first, '', now)", page)
    expect(page.get_by_text(QUESTION)).to_be_visible()
    page.locator("#now").evaluate("section => { section.dataset.same = 'yes' }")
    with page.expect_response(lambda answer: answer.status == 204):
        pass
    expect(page.locator("#now[data-same]")).to_be_visible()


def test_a_lost_connection_is_said_and_comes_back(planned, new_person):
    _, link = planned()
    page = sit(new_person(), link)
    lost = page.get_by_text("There is no connection at the moment.")
    page.context.set_offline(True)
    expect(lost).to_be_visible()
    page.context.set_offline(False)
    expect(lost).to_be_hidden()


def test_a_revoked_link_closes_the_candidates_page(planned, new_person):
    panel, link = planned()
    page = sit(new_person(), link)
    panel.get_by_role("button", name="Revoke it").click()
    expect(panel.get_by_text("There is no link.")).to_be_visible()
    expect(page.get_by_role("heading", name="You have no seat here")).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("heading", name="This link opens nothing")).to_be_visible()


def test_an_interview_is_planned_and_read_without_javascript(site, planned, new_person):
    _, link = planned(java_script_enabled=False)
    page = sit(new_person(java_script_enabled=False), link)
    site("one.put(first, '', now)", page)
    page.get_by_role("link", name="Look for the next question").click()
    expect(page.get_by_text(QUESTION)).to_be_visible()


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_sound_and_fit_a_phone(site, planned, new_person, scheme):
    panel, link = planned(color_scheme=scheme)
    page = sit(new_person(color_scheme=scheme), link)
    site("one.put(first, '', now)", page)
    there = page.url
    for browser, address in (
        (panel, "/bank/interviews/"),
        (panel, panel.url),
        (page, link),
        (page, there),
    ):
        browser.goto(address)
        found = Axe().run(browser).response["violations"]
        assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
        browser.set_viewport_size({"width": 390, "height": 844})
        assert browser.evaluate("document.documentElement.scrollWidth") <= 390
