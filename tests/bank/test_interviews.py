"""Planning an interview, its list, its page, and what changes it."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interview.accounts.models import Role
from interview.bank.errors import BankError, Changed
from interview.bank.models import (
    AuditEntry,
    CandidateLink,
    CardState,
    Interview,
    Kit,
    Scorecard,
    Verb,
)
from interview.bank.models.candidate_link import LINK_LASTS
from tests.bank import stage

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def shared(settings):
    settings.PREFILL_MODE = "shared"


@pytest.fixture
def ann():
    return stage.interviewer("Ann")


@pytest.fixture
def bo():
    return stage.interviewer("Bo")


@pytest.fixture
def planned(ann, bo):
    return stage.interview(stage.kit(ann), [ann, bo])


def planning(kit, *panel, **changes):
    return {
        "key": uuid4(),
        "candidate": "Ada L.",
        "kit": kit.pk,
        "panel": [each.pk for each in panel],
        "held_on": timezone.localdate(),
    } | changes


def changing(interview, *panel, **changes):
    return {
        "candidate": interview.candidate,
        "held_on": interview.held_on,
        "panel": [each.pk for each in panel],
        "setup": interview.setup,
    } | changes


def address(interview, rest=""):
    return f"/bank/interviews/{interview.pk}/{rest}"


def change(interview, by, panel, **changes):
    given = {
        "candidate": interview.candidate,
        "held_on": interview.held_on,
        "setup": interview.setup,
    }
    interview.change(by, panel=panel, now=stage.NOW, **given | changes)


def said(interview):
    found = AuditEntry.objects.about(interview.pk).order_by("pk")
    return [Verb(entry.verb) for entry in found]


def test_planning_freezes_the_newest_version_of_the_kit(ann, bo):
    kit = stage.kit(ann)
    sent = stage.browser(ann).post("/bank/interviews/", planning(kit, ann, bo))
    made = Interview.objects.get()
    assert (sent.status_code, sent["Location"]) == (303, address(made))
    assert made.version == kit.latest
    assert kit.latest.is_frozen
    assert [each.name for each in made.members()] == ["Ann", "Bo"]
    assert made.asked.count() == 2


def test_a_form_that_is_sent_twice_plans_one_interview(ann):
    kit = stage.kit(ann)
    form, client = planning(kit, ann), stage.browser(ann)
    first, second = (client.post("/bank/interviews/", form) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert Interview.objects.count() == 1


def test_the_key_of_somebody_elses_interview_is_refused(ann, planned):
    cai = stage.interviewer("Cai")
    form = planning(stage.kit(cai), cai, key=planned.pk)
    sent = stage.browser(cai).post("/bank/interviews/", form)
    assert sent.status_code == 422
    assert Interview.objects.get() == planned


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"candidate": " "}, "Write a name or an alias."),
        ({"candidate": "Ada\u202e L."}, "U+202E RIGHT-TO-LEFT OVERRIDE, cannot"),
        ({"panel": []}, "An interview needs at least one interviewer."),
        ({"held_on": "soon"}, "Write a day, as 2026-12-01."),
        ({"held_on": "2999-01-01"}, "Choose a day of the next 2 years"),
        ({"kit": uuid4()}, "Choose a kit."),
    ],
)
def test_what_is_missing_is_said_and_what_was_typed_stays(ann, changes, sentence):
    form = planning(stage.kit(ann), ann) | {"candidate": "Grace H."} | changes
    sent = stage.browser(ann).post("/bank/interviews/", form)
    assert sent.status_code == 422
    assert sentence in sent.text
    assert "candidate" in changes or 'value="Grace H."' in sent.text
    assert not Interview.objects.exists()


def test_an_empty_kit_plans_nothing(ann):
    kit = Kit.objects.begin(ann, "Empty", stage.NOW)
    sent = stage.browser(ann).post("/bank/interviews/", planning(kit, ann, anyway="on"))
    assert sent.status_code == 422
    assert "This kit has no question yet." in sent.text
    assert "Plan it anyway" not in sent.text
    assert not kit.latest.is_frozen


def test_what_stands_against_a_kit_is_read_before_it_is_used(ann):
    kit, client = stage.kit(ann), stage.browser(ann)
    CardState.objects.flag_leak(stage.FIRST, ann, "It is on a forum", stage.NOW)
    form = planning(kit, ann)
    for shown in (
        client.get(f"/bank/interviews/?kit={kit.pk}"),
        client.post("/bank/interviews/", form),
    ):
        assert "Question 1: Candidates know this card: It is on a forum" in shown.text
    assert (shown.status_code, Interview.objects.count()) == (422, 0)
    sent = client.post("/bank/interviews/", form | {"anyway": "on"})
    assert (sent.status_code, Interview.objects.count()) == (303, 1)


def test_a_kit_against_which_nothing_stands_asks_no_such_question(ann):
    page = stage.browser(ann).get(f"/bank/interviews/?kit={stage.kit(ann).pk}")
    assert "anyway" not in page.text


def test_a_retired_kit_and_that_of_a_colleague_cannot_be_chosen(ann, bo):
    retired, others, _ = stage.kit(ann), stage.kit(bo), stage.kit(ann, title="Mine")
    retired.retire(stage.NOW)
    for kit in (retired, others):
        sent = stage.browser(ann).post("/bank/interviews/", planning(kit, ann))
        assert sent.status_code == 422
        assert "Choose a kit." in sent.text


def test_candidates_and_who_left_cannot_sit_on_a_panel(ann, bo):
    cand = stage.interviewer("Cand", Role.CANDIDATE)
    bo.deactivate()
    for nobody in (cand, bo):
        form = planning(stage.kit(ann), nobody)
        assert stage.browser(ann).post("/bank/interviews/", form).status_code == 422


def test_the_next_day_is_listed_first_and_what_was_comes_last(ann):
    kit, today = stage.kit(ann), timezone.localdate()
    for name, days in (("Soon", 1), ("Later", 9), ("Past", -9), ("Lately", -2)):
        held_on = today + timedelta(days=days)
        stage.interview(kit, [ann], candidate=name, held_on=held_on)
    listed = Interview.objects.visible_to(ann).listed(today)
    assert [each.candidate for each in listed] == ["Soon", "Later", "Lately", "Past"]


def test_the_list_has_what_concerns_its_reader_alone(ann, bo, planned):
    cai, owner = stage.interviewer("Cai"), stage.interviewer("Eve", Role.OWNER)
    for person, sees in ((ann, True), (bo, True), (cai, False), (owner, True)):
        page = stage.browser(person).get("/bank/interviews/")
        assert ("Ada L." in page.text) is sees, person


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=gra", {"Grace"}),
        ("state=over", {"Grace"}),
        ("state=open", {"Ada", "Edsger"}),
        ("whose=mine", {"Ada", "Grace"}),
        ("whose=panel", {"Edsger"}),
        ("kit={other}", {"Edsger"}),
        ("kit=nonsense&state=nonsense", {"Ada", "Grace", "Edsger"}),
        ("q=nobody", set()),
    ],
)
def test_the_list_is_filtered_by_its_address(ann, bo, query, found):
    kit, other = stage.kit(ann), stage.kit(bo, title="Other")
    other.share(True)
    stage.interview(kit, [bo], owner=ann, candidate="Ada")
    stage.interview(kit, [bo], owner=ann, candidate="Grace").end(ann, stage.NOW)
    stage.interview(other, [ann, bo], owner=bo, candidate="Edsger")
    address = f"/bank/interviews/?{query.format(other=other.pk)}"
    page = stage.browser(ann).get(address, headers={"HX-Request-Type": "partial"})
    assert {name for name in ("Ada", "Grace", "Edsger") if name in page.text} == found


def test_an_interview_that_runs_says_so_until_it_is_ended(ann, planned):
    client, runs = stage.browser(ann), "The interview runs"
    assert runs not in client.get(address(planned)).text
    planned.put(planned.in_order().first(), "", timezone.now())
    assert (
        f"{address(planned, 'console/')}#questions" in client.get(address(planned)).text
    )
    planned.end(ann, timezone.now())
    assert runs not in client.get(address(planned)).text


def test_kits_of_one_title_can_be_told_apart(ann, bo):
    _, second = (stage.kit(ann, title="Screen") for _ in range(2))
    Kit.objects.filter(pk=second.pk).update(made_at=stage.NOW + timedelta(minutes=2))
    stage.kit(ann, title="Onsite")
    page = stage.browser(ann).get("/bank/interviews/").text
    assert page.count(">Onsite</option>") == 2
    names = re.findall(r">(Screen, by Ann, [^<]+)</option>", page)
    assert (len(names), len(set(names))) == (4, 2)
    assert ">Screen</option>" not in page


def test_the_list_takes_as_many_queries_for_fifty_interviews_as_for_one(ann, bo):
    kit, client = stage.kit(ann), stage.browser(ann)

    def asked():
        with CaptureQueriesContext(
            connection,
        ) as made:
            assert client.get("/bank/interviews/").status_code == 200
        return len(made)

    stage.interview(kit, [ann, bo])
    few = asked()
    for _ in range(60):
        stage.submit(stage.interview(kit, [ann, bo]), bo, (1, None))
    assert asked() == few
    assert "page 1 of 2" in client.get("/bank/interviews/").text


def test_a_colleagues_scorecard_is_pending_or_submitted_and_no_more(ann, bo, planned):
    stage.score(planned, bo, (3, None))
    page = stage.browser(ann).get(address(planned)).text
    assert page.count("<td>pending</td>") == 2
    stage.submit(planned, bo, (3, None))
    page = stage.browser(ann).get(address(planned)).text
    assert page.count("<td>submitted</td>") == 1
    assert "1 of 2 submitted" in page


def test_the_page_says_when_the_interview_is_deleted(settings, ann, planned):
    settings.BANK_KEEP_DAYS = 10
    page = stage.browser(ann).get(address(planned)).text
    # Held on 1 December: the 11th is the last day on which it is kept.
    assert "deleted on 12 December 2026" in page


def test_name_day_and_panel_change_together(ann, bo, planned):
    cai = stage.interviewer("Cai")
    form = changing(planned, ann, cai, candidate="A. L.", held_on="2026-12-09")
    sent = stage.browser(ann).post(address(planned, "edit/"), form)
    assert sent.status_code == 303
    planned.refresh_from_db()
    assert (planned.candidate, str(planned.held_on)) == ("A. L.", "2026-12-09")
    assert [each.name for each in planned.members()] == ["Ann", "Cai"]
    assert said(planned) == [Verb.PLANNED, Verb.CHANGED]


def test_the_same_change_sent_twice_is_saved_once(ann, planned):
    form, client = changing(planned, ann, candidate="A. L."), stage.browser(ann)
    for _ in range(2):
        assert client.post(address(planned, "edit/"), form).status_code == 303
    assert said(planned) == [Verb.PLANNED, Verb.CHANGED]


def test_a_change_of_what_somebody_else_changed_is_told_and_not_lost(ann, planned):
    stale = changing(planned, ann, candidate="Mine")
    change(planned, ann, planned.members(), candidate="Theirs")
    client = stage.browser(ann)
    sent = client.post(address(planned, "edit/"), stale)
    planned.refresh_from_db()
    assert (sent.status_code, planned.candidate) == (409, "Theirs")
    assert "Somebody changed this interview" in sent.text
    assert 'value="Mine"' in sent.text
    again = stale | {"setup": planned.setup}
    assert f'value="{planned.setup}"' in sent.text
    assert client.post(address(planned, "edit/"), again).status_code == 303


def test_who_has_begun_to_score_is_not_taken_off_the_panel(ann, bo, planned):
    stage.score(planned, bo, (2, None))
    sent = stage.browser(ann).post(address(planned, "edit/"), changing(planned, ann))
    assert sent.status_code == 422
    assert "Bo has marks or notes on a scorecard here" in sent.text
    assert bo in planned.members()


def test_an_empty_scorecard_goes_with_its_interviewer(ann, bo, planned):
    Scorecard.objects.of(planned, bo, stage.NOW)
    change(planned, ann, [ann])
    assert not planned.scorecards.exists()
    assert planned.members() == [ann]


def test_the_last_interviewer_stays(ann, planned):
    with pytest.raises(BankError, match="at least one interviewer"):
        change(planned, ann, [])


def test_a_stale_change_is_refused_before_anything_is_touched(ann, bo, planned):
    with pytest.raises(Changed):
        change(planned, ann, [ann], setup="stale")
    assert planned.members() == [ann, bo]


def test_an_anonymous_candidate_gets_no_name_again(ann, planned):
    Interview.objects.update(candidate="", anonymised_at=stage.NOW)
    planned.refresh_from_db()
    form = changing(planned, ann, candidate="Ada L.")
    assert stage.browser(ann).post(address(planned, "edit/"), form).status_code == 303
    planned.refresh_from_db()
    assert (planned.candidate, planned.members()) == ("", [ann])


def test_the_link_is_shown_once(ann, planned):
    client = stage.browser(ann)
    shown = client.post(address(planned, "link/"))
    assert shown.status_code == 200
    assert 'value="http://testserver/candidate/' in shown.text
    assert "no-store" in shown["Cache-Control"]
    again = client.get(address(planned)).text
    assert "A link is out." in again
    assert "/candidate/" not in again
    assert said(planned) == [Verb.PLANNED, Verb.LINKED]


def test_a_form_that_is_sent_twice_makes_one_link_and_shows_it_again(ann, planned):
    client = stage.browser(ann)
    sent = {"key": link_key(client, planned)}
    shown = [link_in(client.post(address(planned, "link/"), sent)) for _ in range(2)]
    assert shown[0] == shown[1] != ""
    assert said(planned) == [Verb.PLANNED, Verb.LINKED]
    anew = {"key": link_key(client, planned)}
    assert link_in(client.post(address(planned, "link/"), anew)) != shown[0]


def test_the_form_of_a_link_that_ended_makes_no_other(ann, planned):
    client = stage.browser(ann)
    sent = {"key": link_key(client, planned)}
    client.post(address(planned, "link/"), sent)
    client.post(address(planned, "link/revoke/"))
    again = client.post(address(planned, "link/"), sent)
    assert (again.status_code, link_in(again)) == (409, "")
    assert "has ended since" in again.text
    assert said(planned) == [Verb.PLANNED, Verb.LINKED, Verb.REVOKED]


def test_nobody_anonymous_is_sent_a_link(ann, planned):
    Interview.objects.update(candidate="", anonymised_at=stage.NOW)
    client = stage.browser(ann)
    assert "Make the link" not in client.get(address(planned)).text
    refused = client.post(address(planned, "link/"))
    assert (refused.status_code, link_in(refused)) == (409, "")
    assert "This interview is anonymised" in refused.text


def link_key(client, interview):
    page = client.get(address(interview)).text
    return re.search(r'name="key" value="([^"]+)"', page)[1]


def link_in(response):
    found = re.search(r'value="(http://testserver/candidate/[^"]+)"', response.text)
    return found[1] if found else ""


def test_a_revoked_link_is_said_to_be_gone(ann, planned):
    client = stage.browser(ann)
    client.post(address(planned, "link/"))
    for _ in range(2):
        assert client.post(address(planned, "link/revoke/")).status_code == 303
    assert "There is no link." in client.get(address(planned)).text
    assert said(planned) == [Verb.PLANNED, Verb.LINKED, Verb.REVOKED]


def test_a_link_lasts_with_the_day(ann, planned):
    link, _ = planned.make_link(ann, stage.NOW)
    day = planned.held_on + timedelta(days=60)
    change(planned, ann, planned.members(), held_on=day)
    link.refresh_from_db()
    assert link.expires_at.date() == day + LINK_LASTS


def test_a_link_lasts_with_a_day_that_was_changed_meanwhile(ann, planned):
    read_before = Interview.objects.get(pk=planned.pk)
    day = planned.held_on + timedelta(days=30)
    change(planned, ann, planned.members(), held_on=day)
    link, _ = read_before.make_link(ann, stage.NOW)
    assert link.expires_at.date() == day + LINK_LASTS


def test_a_change_wakes_no_link_that_was_over(ann, planned):
    link, _ = CandidateLink.objects.make(planned, stage.NOW - timedelta(days=90))
    CandidateLink.objects.update(expires_at=stage.NOW - timedelta(days=1))
    change(planned, ann, planned.members(), candidate="A. L.")
    link.refresh_from_db()
    assert link.expires_at < stage.NOW


def test_the_panel_reads_whether_the_candidate_is_here(ann, planned):
    client = stage.browser(ann)
    client.post(address(planned, "link/"))
    assert "Nobody has taken a seat" in client.get(address(planned)).text
    candidate = stage.applicant(planned)
    planned.links.update(expires_at=timezone.now() + timedelta(days=1))
    candidate.get(f"/candidate/at/{planned.pk}/")
    assert "The candidate is here." in client.get(address(planned)).text


def test_a_kit_is_linked_for_who_may_read_it_alone(ann, bo, planned):
    way = f'href="/bank/kits/{planned.version.kit_id}/versions/1/"'
    assert way in stage.browser(ann).get(address(planned)).text
    page = stage.browser(bo).get(address(planned)).text
    assert way not in page
    assert str(planned.version) in page
    planned.version.kit.share(True)
    assert way in stage.browser(bo).get(address(planned)).text


def test_who_does_not_manage_it_gets_no_form_for_it(bo, planned):
    page = stage.browser(bo).get(address(planned)).text
    assert "Ann set the interview up" in page
    assert 'action="' not in page.partition('id="link"')[2].partition("</section>")[0]
    assert "edit/" not in page
