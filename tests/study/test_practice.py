"""A practice session, page by page, as somebody without JavaScript walks it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.study.item_name import SPOT_THE_FLAW
from interview.study.models import Act, Attempt, CardMark, Item, Plan, Session
from interview.study.practice.due import due_tomorrow
from interview.web.content import keeper, library
from tests.study.at_browser import Learner

pytestmark = pytest.mark.django_db
STEP_POSTS = (
    "reveal",
    "grade",
    "attempt",
    "confidence",
    "skip",
    "keep",
    "reset",
    "flag",
    "suspend",
)


@pytest.fixture
def learner(candidate, content):
    return Learner(candidate)


def grades():
    acts = Act.objects.standing().grades().in_order()
    return [(act.card_id, act.rung_id, act.grade) for act in acts]


def test_a_session_of_a_filter_asks_its_cards_in_list_order(learner):
    learner.start()
    cards = [step.card_id for step in learner.session.steps.all()]
    assert cards == ["two-phases", "kv-cache"]
    assert "1 of 2" in learner.html
    learner.start("?topic=memory")
    assert [step.card_id for step in learner.session.steps.all()] == ["kv-cache"]


def test_shuffling_keeps_the_cards(learner, content):
    for number in range(8):
        content.card(f"more-{number}")
    learner.start()
    in_order = [step.card_id for step in learner.session.steps.all()]
    learner.start(shuffle="on")
    shuffled = [step.card_id for step in learner.session.steps.all()]
    assert sorted(shuffled) == sorted(in_order)


def test_what_is_due_is_taken_when_the_session_begins(learner):
    learner.get("/practice/")
    assert "2 questions, all new." in learner.html
    learner.send("start")
    assert {step.card_id for step in learner.session.steps.all()} == {
        "two-phases",
        "kv-cache",
    }


def test_a_step_is_walked_stage_by_stage(learner):
    learner.start("?topic=memory")
    assert "Which question asks kv-cache?" in learner.html
    learner.send("reveal", confidence="sure")
    assert learner.address.endswith("?at=short")
    assert "The short answer of kv-cache." in learner.html
    learner.send("reveal")
    assert "A heading of its own" in learner.html
    learner.send("grade", grade="solid")
    assert "<b>Solid.</b> Back" in learner.html
    learner.send("reveal")
    assert "First rung of kv-cache?" in learner.html
    learner.send("reveal")
    assert "Expected one." in learner.html
    learner.send("grade", grade="missed")
    learner.send("reveal")
    assert "Spot the flaw" in learner.html
    learner.get(f"/practice/{learner.session.pk}/")
    assert learner.address.endswith("/end/")
    assert grades() == [
        ("kv-cache", "", "solid"),
        ("kv-cache", "first", "missed"),
    ]


def test_the_labels_of_the_grades_state_their_tests(learner):
    learner.start().send("reveal")
    for test in ("I did not say the core of it", "I said the core, and missed details"):
        assert test in learner.html


def test_confidence_and_time_go_with_the_first_grade_alone(learner):
    learner.start("?topic=memory").send("reveal", confidence="guess")
    step = learner.here
    asked = step.revealed_at - timedelta(seconds=7)
    type(step).objects.filter(pk=step.pk).update(asked_at=asked)
    learner.send("grade", grade="solid").send("reveal").send("reveal")
    learner.send("grade", grade="partly")
    question, rung = Act.objects.in_order()
    assert (question.confidence, question.took_ms) == ("guess", 7000)
    assert (rung.confidence, rung.took_ms) == ("", None)


def test_who_was_away_took_an_hour_at_most(learner):
    learner.start().send("reveal")
    step = learner.here
    asked = step.revealed_at - timedelta(days=2)
    type(step).objects.filter(pk=step.pk).update(asked_at=asked)
    learner.send("grade", grade="solid")
    assert Act.objects.get().took_ms == 3_600_000


def test_confidence_is_not_taken_after_the_reveal(learner):
    learner.start().send("reveal", confidence="guess")
    step = learner.here
    learner.client.post(f"{step.get_absolute_url()}confidence/", {"confidence": "sure"})
    step.refresh_from_db()
    assert step.confidence == "guess"


def test_what_was_typed_stands_beside_the_answer(learner):
    learner.start("?topic=memory", attempts="on")
    learner.send("reveal", attempt="It <i>fills</i>\r\nthe cache.", rung="")
    assert "It &lt;i&gt;fills&lt;/i&gt;<br>the cache." in learner.html
    assert Attempt.objects.get().text == "It <i>fills</i>\nthe cache."


def test_a_text_sent_after_the_answer_was_opened_replaces_nothing(learner):
    learner.start("?topic=memory", attempts="on")
    form = learner.form("reveal")
    learner.send("reveal", attempt="first", rung="")
    learner.post(form, attempt="second, with the answer before me", rung="")
    assert "your first text was kept" in learner.html
    assert Attempt.objects.get().text == "first"


def test_there_is_a_field_to_type_into_only_if_one_wants_it(learner):
    assert "<textarea" not in learner.start("?topic=memory").html
    assert "<textarea" in learner.start("?topic=memory", attempts="on").html


def test_the_reasons_of_the_drill_are_kept_apart_from_every_rung(learner):
    learner.start("?topic=memory").climb("partly").send("reveal")
    assert f'name="rung" value="{SPOT_THE_FLAW}" form="answer"' in learner.html
    learner.send("reveal", rung=SPOT_THE_FLAW, attempt="One is a mean.")
    assert Attempt.objects.get().rung_id == SPOT_THE_FLAW
    assert "One is a mean." in learner.html


def test_a_rung_that_was_not_solid_ends_the_climb(learner):
    learner.start("?topic=memory").climb("solid", "solid", "partly")
    assert learner.here.done_at
    assert "Third rung" not in learner.html
    assert "See the end" in learner.html


def test_a_question_that_was_not_solid_opens_no_rung(learner):
    learner.start("?topic=memory").climb("partly")
    assert learner.here.done_at
    assert "First rung" not in learner.html


def test_all_rungs_are_climbed_when_each_is_solid(learner):
    learner.start("?topic=memory").climb(*["solid"] * 5)
    assert [rung for _, rung, _ in grades()] == [
        "",
        "first",
        "second",
        "third",
        "fourth",
    ]


def test_a_rung_that_is_not_due_is_known_and_passed_over(learner):
    learner.start("?topic=memory").climb("solid", "solid", "missed")
    Item.objects.filter(rung_id="first").update(
        due_at=timezone.now() + timedelta(days=9)
    )
    Item.objects.filter(rung_id="second").update(due_at=timezone.now())
    learner.start("?topic=memory").climb("solid")
    learner.send("reveal")
    assert "Known. Back on" in learner.html
    assert "Second rung?" in learner.html
    assert "Expected" not in learner.html


def test_the_climb_ends_at_the_level_of_the_plan(learner):
    Plan.objects.create(user=User.objects.get(name="c"), level="L1")
    learner.start("?topic=memory").climb("solid", "solid")
    assert learner.here.done_at
    assert "Second rung" not in learner.html


def test_a_session_from_a_rung_that_is_due_asks_it_at_once(learner):
    learner.start("?topic=memory").climb("solid", "missed")
    Item.objects.filter(rung_id="first").update(due_at=timezone.now())
    Item.objects.filter(rung_id="").update(due_at=timezone.now() + timedelta(days=9))
    CardMark.objects.create(
        user=User.objects.get(name="c"), card_id="two-phases", is_suspended=True
    )
    learner.get("/practice/").send("start")
    assert "First rung of kv-cache?" in learner.html
    assert "Expected one." not in learner.html
    learner.send("reveal")
    assert "Expected one." in learner.html


def test_the_page_says_when_it_comes_back(learner):
    user = User.objects.get(name="c")
    today = Plan(user=user).today(timezone.now())
    plan = Plan.objects.create(user=user, interview_on=today + timedelta(days=30))
    learner.start("?topic=memory").climb("solid")
    day = today + timedelta(days=3)
    Item.objects.filter(rung_id="").update(due_at=plan.days.begin(day))
    learner.get(f"{learner.here.get_absolute_url()}?at=full")
    assert f"Back on {day:%A}, 27 days before your interview." in learner.html


def test_skipping_leaves_the_step_for_later_today(learner):
    learner.start().send("skip")
    assert "2 of 2" in learner.html
    learner.climb("solid", "missed")
    learner.get(f"/practice/{learner.session.pk}/")
    assert learner.address.endswith("/end/")
    learner.send("more")
    assert "What is prefill?" in learner.html
    assert "3 of 4" in learner.html


def test_a_suspended_card_is_asked_no_more(learner):
    learner.start().send("suspend")
    assert "2 of 2" in learner.html
    assert CardMark.objects.get(is_suspended=True).card_id == "two-phases"
    learner.start()
    assert [step.card_id for step in learner.session.steps.all()] == ["kv-cache"]


def test_a_flag_goes_on_and_off_and_twice_is_once(learner):
    learner.start()
    form = learner.form("flag")
    learner.post(form, flag="on").post(form, flag="on")
    assert "Take the flag off" in learner.html
    assert Act.objects.filter(kind="flag").count() == 1
    learner.send("flag", flag="off")
    assert not CardMark.objects.get().is_flagged


def test_the_session_goes_on_where_it_stopped_also_elsewhere(learner, client):
    learner.start("?topic=memory").open_all()
    other = Learner(type(client)())
    other.client.force_login(User.objects.get(name="c"))
    other.get("/practice/")
    assert "0 of 1 done" in other.html
    other.get(f"/practice/{learner.session.pk}/")
    assert "A heading of its own" in other.html


@pytest.mark.parametrize("role", Role)
def test_a_session_of_somebody_else_is_not_found(learner, client, role):
    learner.start()
    address = learner.here.get_absolute_url()
    other = type(client)()
    other.force_login(User.objects.create(name="other", role=role))
    for path in ("", "?at=short"):
        assert other.get(address + path).status_code == 404
    session = f"/practice/{learner.session.pk}/"
    for path in (session, f"{session}end/"):
        assert other.get(path).status_code == 404
    posts = [
        "reveal",
        "grade",
        "attempt",
        "confidence",
        "skip",
        "keep",
        "reset",
        "flag",
        "suspend",
    ]
    for path in [f"{address}{name}/" for name in posts]:
        assert other.post(path, {"grade": "solid", "at": "short"}).status_code == 404
    for name in ("undo", "more", "end"):
        assert other.post(f"{session}{name}/").status_code == 404
    assert (
        other.post("/practice/start/", {"key": learner.session.pk}).status_code == 404
    )
    assert not Act.objects.exists()


def test_an_act_of_another_session_is_not_taken_back(learner):
    learner.start().send("reveal").send("grade", grade="solid")
    act = Act.objects.get()
    learner.start()
    learner.client.post(f"/practice/{learner.session.pk}/undo/", {"act": act.pk})
    assert Act.objects.standing().count() == 1


def test_the_end_says_what_was_done_and_what_comes(learner):
    learner.start().climb("solid", "missed")
    learner.get(f"/practice/{learner.session.pk}/").climb("partly")
    learner.get(f"/practice/{learner.session.pk}/")
    for words in ("1 Solid", "1 Partly", "1 Missed", "Title of kv-cache"):
        assert words in learner.html
    assert "come back today" in learner.html
    assert "Done for today" in learner.html
    assert Session.objects.get().ended_at


def test_a_session_can_be_ended_and_gone_on_with(learner):
    learner.start().send("end")
    assert "2 of this session were not asked" in learner.html
    learner.send("more")
    assert "1 of 2" in learner.html
    assert Session.objects.get().ended_at is None


def test_what_was_missed_is_asked_again_when_its_minutes_are_over(learner):
    learner.start().climb("missed")
    Item.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    learner.get(f"/practice/{learner.session.pk}/").climb("partly")
    places = [(step.position, step.card_id) for step in learner.session.steps.all()]
    assert places == [(1, "two-phases"), (2, "kv-cache"), (3, "two-phases")]
    learner.get(f"/practice/{learner.session.pk}/")
    assert "3 of 3" in learner.html


def test_a_card_that_left_the_content_is_said_and_passed(learner, content):
    learner.start()
    (content.public / "cards/any/two-phases.md").unlink()
    content.card("kv-cache", topic="memory", role="product")
    keeper.cache_clear()
    learner.get(f"/practice/{learner.session.pk}/")
    assert "This card left the content" in learner.html
    learner.send("skip")
    assert "Which question asks kv-cache?" in learner.html
    assert not Act.objects.exists()


def test_a_changed_card_asks_first_to_keep_or_to_reset(learner, content):
    learner.start("?topic=memory").climb("solid")
    content.card("kv-cache", topic="memory", role="product", question="Another one?")
    keeper.cache_clear()
    learner.start("?topic=memory")
    assert "This card has changed since you graded it" in learner.html
    assert "The short answer" not in learner.html
    form = learner.form("keep")
    learner.post(form).post(form)
    assert "Another one?" in learner.html
    assert Act.objects.filter(kind="keep").count() == 1
    assert Item.objects.get(rung_id="").reviews == 1


def test_a_reset_begins_the_item_anew(learner, content):
    learner.start("?topic=memory").climb("solid")
    content.card("kv-cache", topic="memory", role="product", question="Another one?")
    keeper.cache_clear()
    learner.start("?topic=memory").send("reset")
    assert Item.objects.get(rung_id="").reviews == 0
    assert "Another one?" in learner.html


@pytest.mark.parametrize("query", ["", "?topic=phases"])
def test_an_empty_content_says_so(learner, content, query):
    for file in content.public.rglob("cards/any/*.md"):
        file.unlink()
    keeper.cache_clear()
    learner.get(f"/practice/{query}")
    assert "There is no card to practise yet" in learner.html
    learner.client.post("/practice/start/", {"what": "due"})
    assert not Session.objects.exists()


def test_kit_only_cards_and_drafts_are_not_practised_by_anybody(interviewer, content):
    learner = Learner(interviewer).start()
    cards = {step.card_id for step in learner.session.steps.all()}
    assert cards == {"two-phases", "kv-cache"}


def test_the_list_leads_to_a_session_of_what_it_shows(learner):
    learner.get("/cards/?topic=memory")
    assert '<a class="button button--quiet" href="/practice/?topic=memory"' in (
        learner.html
    )
    assert "Practise this card" in learner.html
    assert 'href="/practice/?list=all"' in learner.get("/cards/").html


def test_the_front_page_says_what_is_due_and_goes_on(learner):
    assert "2 questions for today, all new." in learner.get("/").html
    learner.start()
    assert f'href="/practice/{learner.session.pk}/"' in learner.get("/").html


def due_again():
    Item.objects.update(due_at=timezone.now() - timedelta(seconds=1))


def test_a_card_that_came_back_can_be_skipped_for_good(learner):
    learner.start("?topic=memory").climb("missed")
    due_again()
    learner.session.append([("kv-cache", "")])
    learner.get(f"/practice/{learner.session.pk}/2/").send("skip")
    assert learner.address.endswith("/end/")
    assert learner.session.steps.count() == 2
    learner.send("more")
    assert [step.position for step in learner.session.steps.all()] == [1, 2, 3]


def test_a_card_that_came_back_and_left_the_content_is_passed_once(learner, content):
    learner.start("?topic=memory").climb("missed")
    due_again()
    learner.session.append([("kv-cache", "")])
    (content.public / "cards/any/kv-cache.md").unlink()
    keeper.cache_clear()
    learner.get(f"/practice/{learner.session.pk}/2/").send("skip")
    assert learner.address.endswith("/end/")
    assert learner.session.steps.count() == 2
    assert "come back" not in learner.html


def test_a_skipped_card_that_was_suspended_since_is_not_asked_again(learner):
    learner.start("?topic=memory").send("skip")
    assert "1 comes back today" in learner.html
    CardMark.objects.create(
        user=learner.session.user, card_id="kv-cache", is_suspended=True
    )
    learner.get(learner.address)
    assert "back today" not in learner.html


def test_a_level_that_was_lowered_within_a_step_ends_it(learner):
    learner.start().climb("solid", "solid")
    Plan.objects.settle(learner.session.user, level="L1")
    learner.get(f"/practice/{learner.session.pk}/")
    assert "2 of 2" in learner.html
    assert learner.session.steps.get(position=1).done_at


def test_a_graded_step_that_is_open_again_is_passed(learner):
    learner.start().send("reveal").send("grade", grade="missed")
    step = learner.session.steps.get(position=1)
    type(step).objects.filter(pk=step.pk).update(done_at=None)
    learner.get(f"/practice/{learner.session.pk}/")
    assert "2 of 2" in learner.html


def test_an_undo_leaves_no_gap_in_the_numbers_of_the_steps(learner):
    learner.start()
    learner.session.steps.filter(position=2).update(position=5)
    learner.get(f"/practice/{learner.session.pk}/5/")
    assert "2 of 2" in learner.html


def test_what_changed_in_an_answer_is_an_opened_answer(learner, content):
    learner.start("?topic=memory").climb("solid")
    content.card("kv-cache", topic="memory", role="product", short="Another one.")
    keeper.cache_clear()
    learner.start("?topic=memory")
    assert "Show what changed in the answer" in learner.html
    learner.get(f"{learner.address}?changed=questions")
    assert not learner.here.is_revealed
    learner.get(f"{learner.address.partition('?')[0]}?at=question&changed=answers")
    assert "Another" in learner.html
    assert learner.here.is_revealed
    learner.send("keep")
    assert "How sure are you?" not in learner.html


@pytest.mark.parametrize(
    "junk", ["&x=" + "y" * 5000, "%00", "&q=a\0\r\nb", "&q=" + "ä" * 5000]
)
def test_a_filter_is_kept_as_the_list_reads_it(learner, junk):
    form = learner.get("/practice/?topic=memory").form("start")
    learner.post(form, query=f"?topic=memory{junk}")
    kept = learner.session.query if learner.session else ""
    assert len(kept) < 2_500
    assert "\0" not in kept


def test_tomorrow_counts_cards_that_will_be_asked(learner):
    learner.start().climb("solid", "solid")
    person, now = learner.session.user, timezone.now()
    plan = Plan.objects.of(person)
    at = plan.days.end(plan.today(now)) + timedelta(hours=1)
    Item.objects.update(due_at=at)
    assert Item.objects.count() > 1
    assert due_tomorrow(plan, library(), now) == 1
    Item.objects.update(due_at=None, natural_due_at=at)
    assert due_tomorrow(plan, library(), now) == 1
    plan.interview_on = plan.today(now) + timedelta(days=1)
    assert due_tomorrow(plan, library(), now) == 0
    plan.interview_on = None
    CardMark.objects.create(user=person, card_id="two-phases", is_suspended=True)
    assert due_tomorrow(plan, library(), now) == 0


def test_a_rung_above_the_level_is_not_counted_for_tomorrow(learner):
    learner.start().climb("solid", "solid")
    person, now = learner.session.user, timezone.now()
    plan = Plan.objects.of(person)
    begin = plan.days.end(plan.today(now))
    Item.objects.update(due_at=begin - timedelta(hours=1))
    Item.objects.filter(rung_id="second").update(due_at=begin)
    assert due_tomorrow(plan, library(), now) == 1
    plan.level = "L1"
    assert due_tomorrow(plan, library(), now) == 0
