"""The queue in the database: turns, budgets, and what is known of the running run."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.lab.errors import OverCap
from interview.lab.models import Kind, Run, Status, Worker
from tests.lab.cast import NOW, later


@pytest.fixture(autouse=True)
def no_cooldown(settings):
    settings.LAB_COOLDOWN_SECONDS = settings.LAB_BUDGET_SECONDS = 0


@pytest.fixture
def measured(make_run, worker):
    """Make a run that was measured: who, from and to in seconds from NOW."""

    def make(owner, began_s, ended_s):
        run = make_run(owner=owner, now=later(began_s))
        claim = run.claim(worker, later(began_s))
        run.finish(claim, Status.COMPLETED, later(ended_s), report=None)
        return run

    return make


def next_up(now=NOW):
    return [turn.run for turn in Run.objects.line(now)]


def test_an_empty_queue_has_no_turns(db, shared):
    assert Run.objects.line(NOW) == ()


def test_a_second_persons_run_comes_before_the_third_of_the_first(make_run, bob):
    first, second, third = make_run(), make_run(), make_run()
    others = make_run(owner=bob)
    assert next_up() == [first.pk, others.pk, second.pk, third.pk]
    assert third.turn(NOW).place == 4


def test_whoever_measured_last_lets_others_go_first(make_run, alice, bob, measured):
    measured(bob, -100, -90)
    measured(alice, -50, -40)
    mine, others = make_run(), make_run(owner=bob)
    assert next_up() == [others.pk, mine.pk]


def test_a_run_that_never_started_is_no_turn_taken(make_run, alice, bob, measured):
    measured(alice, -50, -40)
    make_run(owner=bob).ask_stop(later(-1))
    mine, others = make_run(), make_run(owner=bob)
    assert next_up() == [others.pk, mine.pk]


def test_an_imported_run_is_no_turn_taken(make_run, alice, bob, measured):
    imported = measured(bob, -20, -10)
    Run.objects.filter(pk=imported.pk).update(kind=Kind.IMPORTED)
    measured(alice, -50, -40)
    mine, others = make_run(), make_run(owner=bob)
    assert next_up() == [others.pk, mine.pk]


def test_the_wait_counts_what_the_running_run_has_left(claimed, make_run, bob):
    run, claim = claimed
    first, second = make_run(), make_run(owner=bob)
    run.renew(claim, later(3), 20.0)
    turns = {turn.run: turn for turn in Run.objects.line(later(5))}
    assert turns[second.pk].wait_s == pytest.approx(18)
    assert turns[first.pk].wait_s == pytest.approx(18 + second.expected_s)
    assert second.expected_s > 0


def test_a_run_that_is_late_is_expected_to_end_any_moment(claimed, make_run):
    waiting = make_run()
    run, _ = claimed
    run.refresh_from_db()
    assert run.due_at == later(run.expected_s)
    assert waiting.turn(later(3600)).wait_s == 1


def test_cooling_down_is_for_those_whom_others_wait_for(
    make_run, alice, bob, measured, settings
):
    settings.LAB_COOLDOWN_SECONDS = 10
    measured(alice, -50, -1)
    mine = make_run()
    assert mine.turn(NOW).wait_s == 0
    measured(bob, -6, -4)
    others = make_run(owner=bob)
    assert next_up() == [others.pk, mine.pk]
    assert others.turn(NOW).wait_s == pytest.approx(6)


def test_a_queued_run_of_another_endpoint_has_no_turn(make_run, settings):
    run = make_run()
    settings.LAB_URL = "http://elsewhere:8000"
    assert run.turn(NOW) is None


def test_a_budget_counts_what_ran_runs_and_waits(claimed, make_run, alice, measured):
    run, claim = claimed
    run.renew(claim, later(4), 6.0)
    waiting = make_run()
    budget = Run.objects.budget(alice, later(5))
    assert budget.used_s == 0
    assert budget.coming_s == pytest.approx(10 + waiting.expected_s)
    run.finish(claim, Status.FAILED, later(9), report=None)
    assert Run.objects.budget(alice, later(10)).used_s == 9
    assert Run.objects.budget(alice, later(24 * 3600 + 10)).used_s == 0


def test_a_person_above_the_budget_is_refused_and_another_is_not(
    make_run, bob, alice, measured, settings
):
    settings.LAB_BUDGET_SECONDS = 60
    measured(alice, -3600, -3541)
    with pytest.raises(OverCap, match="used 59 s") as refused:
        make_run(max_tokens=256)
    assert "There is room for it from 11:00 on 6 October." in str(refused.value)
    make_run(owner=bob, max_tokens=256)
    make_run(now=NOW + timedelta(hours=24), max_tokens=256)


def test_a_cancelled_run_gives_its_budget_back(make_run, settings):
    long = {"max_tokens": 256}
    settings.LAB_BUDGET_SECONDS = int(make_run(**long).expected_s * 2.5)
    waiting = make_run(**long)
    with pytest.raises(OverCap, match="are to come"):
        make_run(**long)
    waiting.ask_stop(NOW)
    make_run(**long)


def test_the_queue_of_a_person_is_told_in_the_right_number(make_run, settings):
    settings.LAB_MAX_QUEUED_PER_PERSON = 1
    make_run()
    with pytest.raises(OverCap, match="You have 1 run waiting") as refused:
        make_run()
    assert refused.value.cap == "LAB_MAX_QUEUED_PER_PERSON"


@pytest.mark.parametrize(
    ("others", "state"), [(0, "starting"), (1, "starting, 1 waiting")]
)
def test_a_run_that_is_about_to_start_does_not_wait(make_run, worker, others, state):
    worker.beat(timezone.now())
    for _ in range(1 + others):
        make_run()
    assert Run.objects.endpoint_state(timezone.now()).state == state


def test_without_a_worker_nothing_starts(make_run):
    make_run()
    assert not Worker.objects.exists()
    state = Run.objects.endpoint_state(timezone.now()).state
    assert state == "no lab worker, 1 waiting"


@pytest.mark.parametrize(
    ("role", "may"),
    [(Role.CANDIDATE, False), (Role.INTERVIEWER, True), (Role.OWNER, True)],
)
def test_who_may_stop_anothers_run_may_not_see_it(make_run, role, may):
    run = make_run()
    person = User.objects.create(name="p", role=role, password="!")
    assert Run.objects.stoppable_by(person).filter(pk=run.pk).exists() is may
    assert not Run.objects.visible_to(person).exists()


def test_nobody_is_offered_a_place_that_would_be_refused(at_alice, make_run, settings):
    settings.LAB_MAX_QUEUED_PER_PERSON = 2
    for _ in range(2):
        make_run()
    page = at_alice.get(reverse("lab:lab")).content.decode()
    assert "as many runs of yours wait as this lab allows" in page
    assert "would get place" not in page
