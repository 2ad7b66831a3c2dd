"""The progress page: from the first visit to the day of the interview."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.recall.days import StudyDays
from interview.recall.grade import Grade
from interview.study.models import Act, ActKind, Answer, Plan, Session, SessionStep
from interview.study.progress.reviews import tallies
from interview.web.content import library

pytestmark = pytest.mark.django_db
URL, RECALLED = "/progress/", "/progress/recalled/weeks/"


class Learner:
    """Somebody who grades cards on days that are past."""

    def __init__(self, user):
        self.user = user
        self.now = timezone.now()
        self.session = Session.objects.create(
            user=user, kind="practice", started_at=self.now
        )

    def plan(self, **fields):
        Plan.objects.update_or_create(user=self.user, defaults=fields)
        return Plan.objects.get(user=self.user)

    def grade(self, card_id, rung_id="", grade=Grade.SOLID, days_ago=0, **given):
        step = SessionStep.objects.create(
            session=self.session,
            position=self.session.steps.count() + 1,
            card_id=card_id,
        )
        answer = Answer(library().cards[card_id], rung_id, grade, **given)
        at = self.now - timedelta(days=days_ago)
        return Act.objects.grade(Plan.objects.of(self.user), step, answer, at)[0]


@pytest.fixture
def learner(client, content, settings):
    settings.PREFILL_MODE = "shared"
    user = User.objects.create(name="ada", role=Role.CANDIDATE)
    client.force_login(user)
    return Learner(user)


def in_days(days):
    return StudyDays().day_of(timezone.now()) + timedelta(days=days)


def said(client, query="", url=URL):
    """Its words, with all white space as single spaces."""
    response = client.get(url + query)
    assert response.status_code == 200
    return " ".join(response.text.split())


def test_before_the_first_grade_it_says_what_will_be_here(client, learner):
    text = said(client)
    assert "Nothing has been graded yet" in text
    assert "<figure" not in text
    assert 'class="map"' not in text


def test_the_map_counts_solid_of_all_by_topic_and_level(client, learner):
    learner.grade("two-phases", days_ago=1)
    learner.grade("two-phases", "first", Grade.PARTLY)
    page = client.get(URL).context["page"]
    phases, memory = page.map.rows
    assert (phases.topic, memory.topic) == ("Phases", "Memory")
    cells = [(cell.solid, cell.shaky, cell.all) for cell in phases.cells]
    assert cells == [(1, 0, 1), (0, 1, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)]
    assert (page.map.solid, page.map.all) == (1, 10)
    assert phases.weakest.rung.name == "two-phases/first"
    assert "The weakest rung: <a" in said(client)
    assert 'href="/progress/two-phases/"' in said(client)


def test_cards_that_candidates_do_not_see_are_not_counted(client, learner):
    learner.grade("two-phases")
    learner.grade("secret")
    learner.grade("half-done")
    text = said(client)
    assert client.get(URL).context["page"].map.all == 10
    assert "secret" not in text
    assert "half-done" not in text


def test_who_graded_only_what_is_gone_is_not_told_that_nothing_was(client, learner):
    learner.grade("secret")
    assert "Nothing has been graded yet" not in said(client)


def test_the_role_of_the_address_chooses_the_cards(client, learner):
    learner.grade("two-phases")
    learner.plan(role="engine")
    assert client.get(URL).context["page"].map.all == 5
    assert client.get(f"{URL}?role=product").context["page"].map.solid == 0
    assert client.get(f"{URL}?role=").context["page"].map.all == 10


def test_suspended_cards_are_left_out_and_said_to_be(client, learner):
    learner.grade("two-phases")
    learner.grade("kv-cache", grade=Grade.MISSED)
    Act.objects.mark(learner.user, "kv-cache", ActKind.SUSPEND, learner.now)
    page = client.get(URL).context["page"]
    assert (page.map.all, page.forecast) == (5, page.forecast)
    assert page.map.weakest is None
    assert "1 suspended card is left out" in said(client)


def test_readiness_says_what_is_missing_in_sentences(client, learner):
    learner.plan(interview_on=in_days(10), level="L1", new_cap=1)
    learner.grade("two-phases", days_ago=1)
    learner.grade("two-phases", "first", Grade.MISSED)
    text = said(client)
    assert "Ready for Screen by" in text
    assert "Not yet. Of 4 questions and follow-ups up to L1 Screen," in text
    assert "1 was missed or known in part" in text
    assert "2 were never asked" in text
    assert "this takes at least 1 day, and there are 10 days: it fits" in text


def test_readiness_gives_nobody_a_percentage(client, learner):
    learner.plan(interview_on=in_days(10))
    learner.grade("two-phases", days_ago=1)
    sentences = client.get(URL).context["page"].ready.sentences
    assert "%" not in "".join(sentences)


def test_too_few_days_are_said_to_be_too_few(client, learner):
    learner.plan(interview_on=in_days(1), daily_cap=1, new_cap=1)
    learner.grade("two-phases", grade=Grade.MISSED, days_ago=1)
    assert "it does not fit" in said(client)


def test_on_the_day_itself_no_practice_is_left(client, learner):
    learner.plan(interview_on=in_days(0))
    learner.grade("two-phases", days_ago=1)
    assert "no day of practice is left" in said(client)


def test_all_solid_and_lasting_is_a_yes_without_a_promise(client, learner):
    learner.plan(interview_on=in_days(2), level="L1", role="engine")
    learner.grade("two-phases")
    learner.grade("two-phases", "first")
    text = said(client)
    assert "As far as practice can tell, yes: all 2" in text
    assert "no promise" in text


def test_what_is_missing_leads_to_exactly_these_cards(client, learner):
    learner.plan(interview_on=in_days(9), role="engine")
    learner.grade("two-phases", days_ago=1)
    learner.grade("two-phases", "first", Grade.PARTLY)
    text = said(client)
    assert 'href="/practice/?role=engine&amp;mine=weak"' in text
    assert 'href="/practice/?role=engine&amp;mine=new"' in text


def test_without_a_day_one_is_asked_for(client, learner):
    learner.grade("two-phases")
    assert client.get(URL).context["page"].ready is None
    assert "Choose the day of your interview" in said(client)


def test_an_interview_that_was_is_no_mistake_of_the_reader(client, learner):
    learner.plan(interview_on=in_days(-3))
    learner.grade("two-phases")
    chosen = client.get(URL).context["page"].chosen
    assert (chosen.day, chosen.typed, chosen.error) == (None, "", "")
    learner.plan(interview_on=in_days(0))
    assert client.get(URL).context["page"].chosen.day == in_days(0)


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [("soon", "“soon” is not a day"), ("2020-01-02", "2 January 2020 is over")],
)
def test_a_day_that_is_none_is_refused_beside_its_field(
    client, learner, typed, complaint
):
    learner.grade("two-phases")
    text = said(client, f"?by={typed}")
    assert complaint in text
    assert f'value="{typed}"' in text
    assert "Ready for" not in text


def test_words_that_the_vocabulary_does_not_have_choose_everything(client, learner):
    learner.grade("two-phases")
    page = client.get(f"{URL}?role=nobody&level=L9").context["page"]
    assert (page.chosen.role, page.chosen.level, page.map.all) == ("", "", 10)


def test_what_came_back_is_set_beside_what_was_wanted_and_predicted(client, learner):
    learner.grade("two-phases", days_ago=12)
    learner.grade("two-phases", grade=Grade.MISSED, days_ago=6)
    learner.grade("kv-cache", days_ago=12)
    act = learner.grade("kv-cache", grade=Grade.PARTLY, days_ago=6)
    chart = client.get(RECALLED).context["recalled"].retention
    assert (chart.total.tested, chart.total.recalled) == (2, 1)
    assert chart.total.predicted_percent == pytest.approx(100 * act.recall)
    assert chart.total.wanted_percent == pytest.approx(90)
    assert "You recalled 1 of 2" in said(client, url=RECALLED)


def test_an_undone_grade_counts_nowhere(client, learner):
    learner.grade("two-phases", days_ago=12)
    act = learner.grade("two-phases", grade=Grade.MISSED, days_ago=6, confidence="sure")
    assert client.get(RECALLED).context["recalled"].retention
    Act.objects.undo(act, learner.now)
    recalled = client.get(RECALLED).context["recalled"]
    assert (recalled.retention, list(recalled.calibration)) == (None, [])
    assert client.get(URL).context["page"].map.solid == 1


def test_sure_but_wrong_is_a_table_with_its_counts(client, learner):
    learner.grade("two-phases", grade=Grade.MISSED, confidence="sure")
    learner.grade("kv-cache", confidence="guess")
    sure, unsure, guess = client.get(RECALLED).context["recalled"].calibration
    assert (sure.missed, sure.reviews, unsure.reviews, guess.solid) == (1, 1, 0, 1)
    text = said(client, url=RECALLED)
    assert "Of 1 answer you were sure of, 1 was missed and 0 known in part." in text
    assert "Being surer did not go with more solid answers" in text


def test_the_forecast_counts_cards_by_the_day_they_come_back(client, learner):
    learner.plan(daily_cap=1)
    learner.grade("two-phases", days_ago=1)
    learner.grade("kv-cache", days_ago=1)
    chart = client.get(URL).context["page"].forecast
    assert [(bar.day.planned, bar.day.waiting) for bar in chart.bars][:3] == [
        (1, 1),
        (1, 0),
        (0, 0),
    ]
    assert len(chart.bars) == 30
    assert "the rest waits" in said(client)


def test_the_forecast_leaves_out_what_today_had_room_for(client, learner):
    learner.plan(daily_cap=1, interview_on=in_days(5))
    learner.grade("two-phases", days_ago=1, grade=Grade.PARTLY)
    page = client.get(URL).context["page"]
    assert page.forecast.bars[0].day.planned == 1
    learner.grade("kv-cache")
    page = client.get(URL).context["page"]
    today = page.forecast.bars[0].day
    assert (today.planned, today.waiting) == (0, 1)


def test_what_comes_back_today_needs_no_room(client, learner):
    learner.plan(daily_cap=1)
    learner.grade("two-phases", grade=Grade.MISSED)
    bar = client.get(URL).context["page"].forecast.bars[0]
    assert (bar.day.planned, bar.day.waiting) == (1, 0)


def test_nothing_is_forecast_from_the_interview_on(client, learner):
    learner.plan(interview_on=in_days(5))
    learner.grade("two-phases")
    chart = client.get(URL).context["page"].forecast
    assert len(chart.bars) == 5
    assert chart.interview_x == pytest.approx(100 * 5 / 30, abs=0.01)


def test_each_drawing_has_a_sentence_and_a_table(client, learner):
    learner.grade("two-phases", days_ago=12)
    learner.grade("two-phases", days_ago=6)
    for url in (URL, RECALLED):
        text = client.get(url).text
        assert text.count("<svg class=") == text.count("<desc>") == 1
        assert text.count("<figcaption>") == text.count('class="fold figure__table"')


def test_the_last_weeks_are_a_part_of_the_page_and_a_page_of_their_own(client, learner):
    learner.grade("two-phases", days_ago=12)
    learner.grade("two-phases", days_ago=6)
    assert f'hx-get="{RECALLED}"' in said(client)
    assert f'<a href="{RECALLED}">' in said(client)
    part = client.get(RECALLED, headers={"HX-Request-Type": "partial"}).text
    assert part.lstrip().startswith("<section")
    assert "You recalled 1 of 1" in " ".join(part.split())
    assert "<title>What you recalled" in said(client, url=RECALLED)


def test_nobody_sees_what_somebody_else_did(client, learner):
    learner.grade("two-phases", grade=Grade.MISSED)
    for role in (Role.CANDIDATE, Role.INTERVIEWER, Role.OWNER):
        client.force_login(User.objects.create(name=f"other {role}", role=role))
        assert "Nothing has been graded yet" in said(client)
        found = " ".join(client.get("/progress/two-phases/").text.split())
        assert "You have not answered this card yet" in found


@pytest.mark.parametrize("url", [URL, RECALLED])
def test_the_queries_do_not_grow_with_the_reviews(
    client, learner, django_assert_max_num_queries, url
):
    learner.plan(interview_on=in_days(9))
    with django_assert_max_num_queries(30) as few:
        client.get(url)
    learner.grade("two-phases", days_ago=30)
    with django_assert_max_num_queries(30) as one:
        client.get(url)
    for days_ago in range(20, 0, -1):
        learner.grade("two-phases", days_ago=days_ago)
        learner.grade("kv-cache", grade=Grade.MISSED, days_ago=days_ago)
    with django_assert_max_num_queries(30) as many:
        client.get(url)
    assert len(few) <= len(one) == len(many)


def test_a_sunday_night_belongs_to_the_week_that_ends(client, learner):
    """Four in the morning of a Monday, in the person's zone, begins the next one."""
    learner.user.time_zone = "America/New_York"
    plan = Plan(user=learner.user)
    learner.now = datetime(2026, 11, 30, 8, 59, tzinfo=UTC)
    learner.grade("two-phases")
    learner.now += timedelta(minutes=1)
    learner.grade("kv-cache")
    begins = [datetime(2026, 11, 23).date(), datetime(2026, 11, 30).date()]
    found = tallies(plan, begins, learner.now)
    assert sorted((t.week, t.reviews) for t in found) == [(0, 1), (1, 1)]
