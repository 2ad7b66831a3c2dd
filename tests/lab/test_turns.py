"""Who is next and when: people take turns, whoever queued how many."""

import pytest

from interview.lab.runs.turns import Turn, Waiting, turns


def line(*names, seconds=10.0):
    """Waiting runs such as "a1", "a2", "b1": the letter is the person."""
    return [Waiting(name, name[0], seconds) for name in names]


def order(waiting, ended_s=None, free_in_s=0.0, cooldown_s=0.0):
    found = turns(waiting, ended_s or {}, free_in_s, cooldown_s)
    assert [turn.place for turn in found] == list(range(1, len(found) + 1))
    return [(turn.run, turn.wait_s) for turn in found]


def test_nobody_waits():
    assert turns([], {"a": -5.0}, 30.0, 10.0) == ()


def test_one_persons_runs_come_as_they_were_queued():
    assert order(line("a1", "a2")) == [("a1", 0.0), ("a2", 10.0)]


def test_many_runs_of_one_do_not_stand_before_the_first_of_another():
    found = [run for run, _ in order(line("a1", "a2", "a3", "b1", "c1", "b2"))]
    assert found == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_whose_last_run_ended_longest_ago_is_next():
    ended_s = {"a": -5.0, "b": -60.0}
    assert [run for run, _ in order(line("a1", "b1"), ended_s)] == ["b1", "a1"]
    assert [run for run, _ in order(line("a1", "b1", "c1"), ended_s)] == [
        *("c1", "b1", "a1")
    ]


def test_who_runs_now_comes_after_who_waits():
    found = order(line("a2", "b1"), {"a": 25.0, "b": -1.0}, free_in_s=25.0)
    assert found == [("b1", 25.0), ("a2", 35.0)]


def test_a_wait_is_what_the_running_one_has_left_and_those_ahead_take():
    waiting = [Waiting("a1", "a", 40.0), Waiting("b1", "b", 5.0)]
    assert order(waiting, free_in_s=20.0) == [("a1", 20.0), ("b1", 60.0)]


def test_a_person_cools_down_while_somebody_else_waits():
    ended_s = {"a": -3.0, "b": -1.0}
    found = order(line("a1", "b1", seconds=2.0), ended_s, cooldown_s=10.0)
    # After a1 nobody else waits: b1 starts as soon as the endpoint is free.
    assert found == [("a1", 7.0), ("b1", 9.0)]


def test_who_never_ran_does_not_cool_down():
    found = order(line("a1", "b1"), {"a": -3.0}, cooldown_s=10.0)
    assert found == [("b1", 0.0), ("a1", 10.0)]


def test_alone_nobody_cools_down():
    assert order(line("a1"), {"a": -1.0}, cooldown_s=60.0) == [("a1", 0.0)]


@pytest.mark.parametrize(
    ("wait_s", "words"),
    [
        (0.0, "place 2"),
        (0.2, "place 2, about 5 s"),
        (38.0, "place 2, about 40 s"),
        (89.0, "place 2, about 2 min"),
        (400.0, "place 2, about 7 min"),
    ],
)
def test_a_wait_is_said_as_precisely_as_it_is_known(wait_s, words):
    assert Turn("a1", 2, wait_s).words == words
