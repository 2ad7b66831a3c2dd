"""An interview at the console by a real browser: by keys, without scripts, and with a
network, a server and a second tab that come and go."""

import json
import os
import re
import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.team import SHARED, join
from tests.live_site import ROOT, eventually, running_site

pytestmark = pytest.mark.browser
PREFIX = "prefill-console:"
PLAN = """
import json, sys
from django.utils import timezone
from interview.accounts.models import Role, User
from tests.bank import stage
names = json.loads(sys.argv[1])
people = [User.objects.get(name=name) for name in names] or [User.objects.get()]
title = timezone.now().isoformat()
kit = stage.kit(people[0], stage.FIRST, stage.SECOND, stage.THIRD, title=title)
print("made", stage.interview(kit, people).pk)
"""
SAVED = """
import json, sys
from interview.bank.models import Scorecard
scores = []
for card in Scorecard.objects.filter(interview=sys.argv[1]).order_by("made_at"):
    for score in card.in_order():
        notes = [note.text for note in score.notes.all()]
        scores.append({"rating": score.rating, "notes": notes, "said": score.said,
                       "hinted": score.hinted, "not_asked": score.not_asked})
print("made", json.dumps(scores))
"""


@pytest.fixture(scope="module")
def site():
    """A site of its own: its server is killed while somebody types."""
    with running_site(os.environ.get("DATABASE_URL", "")) as found:
        yield found


@pytest.fixture(scope="module")
def shared_site():
    with running_site(os.environ.get("DATABASE_URL", ""), **SHARED) as found:
        yield found


def inside(site, code, *arguments):
    """Runs `code` beside the site, on its database; what it printed after "made"."""
    begin = "import django; django.setup()\n"
    settings = {
        "PREFILL_DATA": str(site.data),
        "DJANGO_SETTINGS_MODULE": "interview.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", begin + code, *arguments],
        cwd=ROOT,
        env=site.environment | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return re.search("^made (.*)$", done.stdout, re.MULTILINE)[1]


def plan(site, *names):
    return inside(site, PLAN, json.dumps(names))


def saved(site, interview):
    """All questions of all scorecards, as the database has them."""
    return json.loads(inside(site, SAVED, interview))


def console(page, site, interview, position=1):
    page.goto(f"{site.url}/bank/interviews/{interview}/console/{position}/")
    expect(page.get_by_text("do not share this window")).to_be_visible()
    return page


def is_saved(page):
    expect(page.locator("[data-state]")).to_have_text(re.compile(r"^Saved \d"))
    kept = f"Object.keys(localStorage).filter(key => key.startsWith('{PREFIX}')).length"
    eventually(lambda: page.evaluate(kept) == 0, 10, lambda: "the browser keeps it")


def note_of(page, at=-1):
    return page.locator("[data-notes] > [data-note-key] textarea").nth(at)


def test_three_questions_by_keys_alone(new_person, site):
    interview, page = plan(site), new_person()
    console(page, site, interview)
    keys = page.keyboard
    expect(page.locator("#now")).to_contain_text("Nothing yet")
    keys.press("p")
    expect(page.locator("#now")).to_contain_text("Question 1")
    keys.press("p")
    expect(page.locator("#now")).to_contain_text("L1")
    keys.press("h")
    keys.press("w")
    keys.press("1")
    keys.press("3")
    expect(page.locator("[data-rated]")).to_contain_text("capped by a hint at L1")
    keys.press("n")
    keys.type("Says 2 pools, w/o numbers")
    keys.press("Escape")
    expect(page.locator("[data-at]").first).to_have_text(re.compile(r"^0:\d\d$"))
    is_saved(page)

    keys.press("j")
    expect(page.locator("h2#script-title")).to_be_visible()
    expect(page).to_have_url(re.compile("/console/2/"))
    keys.press("p")
    keys.press("2")
    expect(page.locator("[data-rated]")).to_have_text("L2")
    is_saved(page)
    keys.press("j")
    expect(page).to_have_url(re.compile("/console/3/"))
    keys.press("x")
    expect(page.locator("[data-rated]")).to_have_text("not asked")
    is_saved(page)
    keys.press("k")
    expect(page).to_have_url(re.compile("/console/2/"))

    first, second, third = saved(site, interview)
    assert first["rating"] == 0
    assert first["notes"] == ["Says 2 pools, w/o numbers"]
    assert len(first["said"]) == len(first["hinted"]) == 1
    assert second["rating"] == 2
    assert third["not_asked"]


def test_ctrl_enter_leads_to_the_review_also_while_typing(new_person, site):
    page = console(new_person(), site, plan(site))
    page.keyboard.press("n")
    page.keyboard.type("nearly done")
    page.keyboard.press("Control+Enter")
    expect(page).to_have_url(re.compile("/review/"))


def test_a_lost_network_and_a_killed_server_lose_nothing(new_person, site):
    interview, page = plan(site), new_person()
    console(page, site, interview)
    page.keyboard.press("n")
    page.keyboard.type("acknowledged")
    is_saved(page)
    page.context.set_offline(True)
    page.keyboard.type(", typed without a network")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(page.locator("[data-state]")).to_contain_text("no connection")
    page.context.set_offline(False)
    is_saved(page)
    expect(page.locator("[data-rated]")).to_have_text("L2")
    assert saved(site, interview)[0]["notes"] == [
        "acknowledged, typed without a network"
    ]

    note_of(page, 0).focus()
    page.keyboard.press("End")
    site.kill("web")
    page.keyboard.type(", typed while the server was dead")
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.close()
    eventually(site.answers, 30, site.said)
    assert saved(site, interview)[0]["notes"] == [
        "acknowledged, typed without a network"
    ]

    page = console(page.context.new_page(), site, interview)
    whole = "acknowledged, typed without a network, typed while the server was dead"
    expect(note_of(page, 0)).to_have_value(whole)
    is_saved(page)
    first, *_ = saved(site, interview)
    assert first["notes"] == [whole]
    assert len(first["hinted"]) == 1


def test_what_is_left_at_another_question_is_sent_from_here(new_person, site):
    interview, page = plan(site), new_person()
    console(page, site, interview)
    page.context.set_offline(True)
    page.keyboard.press("4")
    page.keyboard.press("n")
    page.keyboard.type("left behind")
    page.keyboard.press("Escape")
    expect(page.locator("[data-state]")).to_contain_text("no connection")
    page.close()
    page = page.context.new_page()
    page.context.set_offline(False)
    console(page, site, interview, 2)
    is_kept = f"Object.keys(localStorage).some(key => key.startsWith('{PREFIX}'))"
    eventually(lambda: not page.evaluate(is_kept), 10, lambda: "nothing was sent")
    first, *_ = saved(site, interview)
    assert (first["rating"], first["notes"]) == (4, ["left behind"])


def test_without_a_network_the_console_stays(new_person, site):
    interview, page = plan(site), new_person()
    console(page, site, interview)
    page.context.set_offline(True)
    for key in ("j", "Control+Enter"):
        page.keyboard.press(key)
        expect(page.locator("[data-state]")).to_contain_text("so this page stays")
    page.locator(".console__list a").last.click()
    expect(page.locator("[data-state]")).to_contain_text("so this page stays")
    expect(page).to_have_url(re.compile("/console/1/"))
    page.context.set_offline(False)
    expect(page.locator("[data-state]")).not_to_contain_text("so this page stays")
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("/console/2/"))


def test_a_mark_is_taken_back_by_a_click(new_person, site):
    interview, page = plan(site), new_person()
    console(page, site, interview)
    page.keyboard.press("2")
    expect(page.locator("[data-rated]")).to_have_text("L2")
    marks = page.locator("[data-marks] input[type=radio]:checked")
    count = marks.count()
    page.locator("[data-unmark]").first.click()
    expect(page.locator("[data-rated]")).to_contain_text("not marked")
    expect(marks).to_have_count(count - 1)
    expect(page.locator("[data-rung] input:focus")).to_have_count(1)
    is_saved(page)
    assert saved(site, interview)[0]["rating"] is None


def test_two_tabs_show_the_same_and_overwrite_nothing(new_person, site):
    interview, one = plan(site), new_person()
    console(one, site, interview)
    two = console(one.context.new_page(), site, interview)
    one.keyboard.press("3")
    expect(one.locator("[data-rated]")).to_have_text("L3")
    expect(two.locator("[data-rated]")).to_have_text("L3")
    two.keyboard.press("h")
    expect(one.locator("[name=hinted]:checked")).to_have_count(1)

    note_of(one).fill("from the first tab")
    is_saved(one)
    expect(note_of(two, 0)).to_have_value("from the first tab")


def test_who_is_late_sees_both_and_chooses(new_person, site):
    interview, one, two = plan(site), new_person(), new_person()
    console(one, site, interview)
    note_of(one).fill("as it was")
    is_saved(one)
    for page in (one, two):
        console(page, site, interview)
    one.keyboard.press("1")
    note_of(one, 0).fill("from the first browser")
    is_saved(one)
    two.keyboard.press("4")
    expect(two.locator("[data-conflict]")).to_be_visible()
    expect(two.locator("[data-state]")).to_contain_text("Not saved")
    two.get_by_role("button", name="Save mine instead").click()
    expect(two.locator("[data-rated]")).to_have_text("L4")
    note_of(two, 0).fill("from the second browser")
    refused = two.locator("[data-note-refused]:visible")
    expect(refused).to_contain_text("from the first browser")
    refused.get_by_role("button", name="Take the saved one").click()
    expect(note_of(two, 0)).to_have_value("from the first browser")
    is_saved(two)
    assert saved(site, interview)[0]["notes"] == ["from the first browser"]


@pytest.mark.looks
def test_the_screen_is_blank_until_any_key(new_person, site):
    page = console(new_person(), site, plan(site))
    screen = page.get_by_role("dialog", name="Blank screen")
    title = page.title()
    page.keyboard.press("b")
    expect(screen).to_be_visible()
    covered = "document.elementFromPoint(20, 20).closest('dialog[open]') !== null"
    assert page.evaluate(covered)
    assert page.title() == "Prefill"
    page.keyboard.press("3")
    expect(screen).to_be_hidden()
    expect(page).to_have_title(title)
    expect(page.locator("[data-rated]")).to_contain_text("not marked")


def test_an_interview_is_scored_without_scripts(new_person, site):
    interview = plan(site)
    page = console(new_person(java_script_enabled=False), site, interview)
    page.get_by_role("button", name=re.compile("^Put the question")).first.click()
    expect(page.locator("#now")).to_contain_text("Question 1")
    for group in page.locator("fieldset[data-rung]").all():
        group.get_by_label("met", exact=True).check()
    note_of(page).fill("typed without scripts")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-rated]")).to_have_text("L4")
    page.get_by_role("button", name="clear the mark at L1").first.click()
    expect(page.locator("[data-rated]")).to_contain_text("1 of")
    page.locator("fieldset[data-rung]").first.get_by_label("met", exact=True).check()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name=re.compile("^Question 2")).last.click()
    page.get_by_role("button", name="1 L1").click()
    page.get_by_role("link", name=re.compile("^Question 3")).last.click()
    page.get_by_label("This question was not asked").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-rated]")).to_have_text("not asked")
    first, second, third = saved(site, interview)
    assert (first["rating"], first["notes"]) == (4, ["typed without scripts"])
    assert second["rating"] == 1
    assert third["not_asked"]


@pytest.mark.looks
def test_on_paper_the_console_is_the_question_its_anchors_and_the_marks(
    new_person, site
):
    page = new_person()
    console(page, site, plan(site))
    page.keyboard.press("2")
    expect(page.locator("[data-rated]")).to_have_text("L2")
    page.emulate_media(media="print")
    script, score = page.locator(".console__script"), page.locator(".console__score")
    expect(script.get_by_text("Expected answer").first).to_be_visible()
    expect(score.get_by_label("met", exact=True).first).to_be_visible()
    for pressed in page.locator("main button").all():
        expect(pressed).to_be_hidden()


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_console_is_accessible_and_fits_a_phone(new_person, site, scheme):
    page = new_person(color_scheme=scheme)
    console(page, site, plan(site))
    page.keyboard.press("p")
    page.keyboard.press("2")
    expect(page.locator("[data-rated]")).to_have_text("L2")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 390, "height": 844})
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0


def test_two_interviewers_score_apart_and_sign_out_leaves_nothing(
    new_person, shared_site
):
    ian, mia = new_person(), new_person()
    join(ian, shared_site, "Ian")
    join(mia, shared_site, "Mia")
    interview = plan(shared_site, "Ian", "Mia")
    console(ian, shared_site, interview)
    console(mia, shared_site, interview)
    ian.keyboard.press("p")
    expect(ian.locator("#now")).to_contain_text("Question 1")
    expect(mia.locator("#now")).to_contain_text("Question 1", timeout=15_000)
    ian.keyboard.press("4")
    mia.keyboard.press("1")
    is_saved(ian)
    is_saved(mia)
    expect(ian.locator("[data-rated]")).to_have_text("L4")
    assert "L4" not in mia.locator("#questions").inner_text()
    ratings = [score["rating"] for score in saved(shared_site, interview)]
    assert [ratings[0], ratings[3]] == [4, 1]

    ian.route("**/note/", lambda route: route.abort("internetdisconnected"))
    note_of(ian).fill("kept in the browser")
    expect(ian.locator("[data-state]")).to_contain_text("no connection")
    ian.get_by_role("link", name="Ian", exact=True).click()
    is_kept = f"Object.keys(localStorage).some(key => key.startsWith('{PREFIX}'))"
    assert ian.evaluate(is_kept)
    ian.get_by_role("button", name="Sign out", exact=True).click()
    expect(ian).to_have_url(re.compile("/sign-in/"))
    assert not ian.evaluate(is_kept)

    of_another = {"user": "another", "what": "note:1:key"}
    plant = f"entry => localStorage.setItem('{PREFIX}x:note:1:key', entry)"
    mia.evaluate(plant, json.dumps(of_another))
    mia.goto(f"{shared_site.url}/bank/")
    eventually(lambda: not mia.evaluate(is_kept), 10, lambda: "another's are kept")
