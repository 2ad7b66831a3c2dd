"""The page of one's plan: what is kept, what is refused, and whose it is."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from interview.accounts.models import User
from interview.recall.memory import Terms
from interview.study.models import Plan

pytestmark = pytest.mark.usefixtures("content")
PLAN = "/practice/plan/"
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
GOOD = {
    "interview_on": "2026-12-12",
    "role": "engine",
    "level": "L3",
    "retention": "92",
    "daily_cap": "20",
    "new_cap": "5",
}


@pytest.fixture(autouse=True)
def frozen(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOW)


def post(client, **changed):
    return client.post(PLAN, GOOD | changed)


def errors(response, field):
    block = re.search(rf'<div id="id_{field}_error">(.*?)</div>', response.text, re.S)
    return re.findall(r"<p[^>]*>(.*?)</p>", block[1]) if block else []


def value(response, field):
    tag = re.search(rf'<input[^>]*name="{field}"[^>]*>', response.text)[0]
    found = re.search(r'value="([^"]*)"', tag)
    return found[1] if found else None


def chosen(response, field):
    select = re.search(rf'<select name="{field}".*?</select>', response.text, re.S)[0]
    return re.findall(r'<option value="([^"]*)" selected', select)


def test_a_first_visit_shows_the_default_plan_and_stores_none(candidate):
    response = candidate.get(PLAN)
    assert value(response, "interview_on") is None
    assert value(response, "retention") == "90"
    assert value(response, "daily_cap") == "30"
    assert not Plan.objects.exists()


def test_what_was_kept_is_shown_and_can_be_changed(candidate):
    response = candidate.post(PLAN, GOOD, follow=True)
    assert response.redirect_chain == [(PLAN, 303)]
    assert "from its next review on" in response.text
    assert "in 12 days" in response.text
    plan = Plan.objects.get()
    assert (plan.interview_on, plan.role, plan.level) == (
        date(2026, 12, 12),
        "engine",
        "L3",
    )
    assert (plan.retention, plan.daily_cap, plan.new_cap) == (0.92, 20, 5)
    assert value(response, "interview_on") == "2026-12-12"
    assert (chosen(response, "role"), chosen(response, "level")) == (["engine"], ["L3"])
    assert post(candidate, interview_on="", role="", level="").status_code == 303
    plan.refresh_from_db()
    assert (plan.interview_on, plan.role, plan.level) == (None, "", "")


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("interview_on", "2026-11-29", "29 November 2026 is over."),
        ("interview_on", "2031-01-01", "more than three years away"),
        ("interview_on", "9999-12-31", "more than three years away"),
        ("interview_on", "next week", "Write it like 2026-12-31"),
        ("interview_on", "2026-02-30", "Write it like 2026-12-31"),
        ("retention", "99", "from 70 to 97"),
        ("retention", "0.9", "from 70 to 97"),
        ("retention", "", "from 70 to 97"),
        ("daily_cap", "0", "from 1 to 500"),
        ("daily_cap", "many", "from 1 to 500"),
        ("new_cap", "-1", "from 0 to 500"),
        ("new_cap", "1e3", "from 0 to 500"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_stays_typed(
    candidate, field, typed, said
):
    response = post(candidate, **{field: typed})
    assert response.status_code == 422
    assert len(errors(response, field)) == 1
    assert said in errors(response, field)[0]
    assert value(response, field) == (typed or None)
    for other in {"interview_on", "retention", "daily_cap", "new_cap"} - {field}:
        assert errors(response, other) == []
        assert value(response, other) == GOOD[other]
    assert not Plan.objects.exists()


@pytest.mark.parametrize("field", ["role", "level"])
def test_an_unknown_word_is_refused(candidate, field):
    response = post(candidate, **{field: "chief"})
    assert "“chief” is none of them" in errors(response, field)[0]


def test_today_is_a_day_for_an_interview_in_one_s_own_zone(candidate, monkeypatch):
    assert post(candidate, interview_on="2026-11-30").status_code == 303
    # Not yet four in the morning there: still the day before.
    User.objects.update(time_zone="America/Los_Angeles")
    early = datetime(2026, 11, 30, 11, 59, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: early)
    assert post(candidate, interview_on="2026-11-29").status_code == 303


def test_after_the_interview_a_new_day_or_none_is_asked_for(candidate):
    me = User.objects.get()
    Plan.objects.settle(me, interview_on=NOW.date() - timedelta(days=1))
    response = candidate.get(PLAN)
    assert "Your interview was on Sunday, 29 November 2026" in response.text
    assert value(response, "interview_on") is None
    assert post(candidate, interview_on="").status_code == 303
    assert Plan.objects.get().interview_on is None


def test_a_plan_is_its_person_s_alone(candidate):
    other = User.objects.create(name="other", password="!")
    Plan.objects.settle(other, daily_cap=77)
    assert 'value="77"' not in candidate.get(PLAN).text
    post(candidate)
    assert Plan.objects.get(user=other).daily_cap == 77
    assert Plan.objects.count() == 2


def test_the_time_zone_is_on_the_account_page_or_here_without_one(candidate, settings):
    page = candidate.get(PLAN)
    assert 'href="/account/"' in page.text
    assert 'name="time_zone"' not in page.text
    settings.PREFILL_MODE = "local"
    page = candidate.get(PLAN)
    assert 'href="/account/"' not in page.text
    assert 'name="time_zone"' in page.text
    assert post(candidate, time_zone="Asia/Kolkata").status_code == 303
    owner = User.objects.local_owner()
    assert owner.time_zone == "Asia/Kolkata"
    assert "none of them" in errors(post(candidate, time_zone="Mars"), "time_zone")[0]


def test_new_settings_move_nothing_that_is_planned(candidate):
    me = User.objects.get()
    before = Plan.objects.of(me).terms(NOW)
    post(candidate)
    after = Plan.objects.of(me).terms(NOW)
    assert before == Terms()
    assert after == Terms(0.92, "UTC", date(2026, 12, 11))


# The words of a plan.


@pytest.mark.parametrize(
    ("days", "left", "is_over", "has_a_day_left", "last"),
    [
        (-1, None, True, False, None),
        (0, 0, False, False, date(2026, 11, 29)),
        (1, 1, False, True, date(2026, 11, 30)),
        (9, 9, False, True, date(2026, 12, 8)),
    ],
)
def test_days_to_the_interview(days, left, is_over, has_a_day_left, last):
    plan = Plan(user=User(), interview_on=NOW.date() + timedelta(days=days))
    assert plan.days_left(NOW) == left
    assert plan.is_over(NOW) is is_over
    assert plan.has_a_day_left(NOW) is has_a_day_left
    assert plan.terms(NOW).last_day == last


def test_without_an_interview_there_is_no_last_day():
    plan = Plan(user=User())
    assert plan.days_left(NOW) is None
    assert plan.has_a_day_left(NOW)
    assert plan.terms(NOW) == Terms()
