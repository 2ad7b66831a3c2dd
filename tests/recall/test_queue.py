"""The order of a day's steps."""

from interview.recall.queue import Wanted, interleaved, queue


def step(card_id, overdue=1.0, **given):
    return Wanted(card_id, overdue=overdue, **given)


def ids(steps):
    return [one.card_id for one in steps]


def plain(due, unseen=(), room=10, new_room=10):
    return queue(due, unseen, room, new_room)


def test_what_is_nearest_to_being_forgotten_comes_first():
    due = [step("a", 0.5), step("b", 2.0), step("c", 1.0)]
    assert ids(plain(due).steps) == ["b", "c", "a"]


def test_the_same_risk_has_the_same_order_each_time():
    due = [step("b"), step("a"), step("c")]
    assert ids(plain(due).steps) == ids(plain(due[::-1]).steps) == ["a", "b", "c"]


def test_the_cap_keeps_the_most_at_risk_and_says_what_waits():
    due = [step(str(n), overdue=n) for n in range(9)]
    found = plain(due, room=3)
    assert (ids(found.steps), found.later) == (["8", "7", "6"], 6)


def test_no_room_asks_nothing_and_all_of_it_waits():
    found = plain([step("a"), step("b")], [step("n")], room=-2)
    assert (found.steps, found.later, found.new) == ([], 2, 0)


def test_what_was_missed_comes_first_and_needs_no_room():
    found = plain([step("a", 9.0), step("b", 0.1, is_again=True)], room=0)
    assert (ids(found.steps), found.later) == (["b"], 1)


def test_new_cards_fill_what_the_due_leave():
    unseen = [step("n1"), step("n2"), step("n3")]
    found = plain([step("a")], unseen, room=3)
    assert (ids(found.steps), found.new) == (["a", "n1", "n2"], 2)


def test_new_cards_have_a_cap_of_their_own():
    unseen = [step("n1"), step("n2")]
    found = plain([], unseen, room=9, new_room=1)
    assert (ids(found.steps), found.new) == (["n1"], 1)
    assert plain([], unseen, new_room=-1).steps == []


def test_a_card_comes_before_the_cards_that_need_it():
    due = [step("top", 9.0, needs=("middle",)), step("middle", 5.0, needs=("base",))]
    due += [step("base", 1.0)]
    assert ids(plain(due).steps) == ["base", "middle", "top"]


def test_a_need_that_is_not_asked_today_holds_nothing_up():
    assert ids(plain([step("a", needs=("elsewhere",))]).steps) == ["a"]


def test_cards_that_need_each_other_are_still_asked():
    circle = [step("a", needs=("b",)), step("b", needs=("a",)), step("c", needs=("c",))]
    assert sorted(ids(plain(circle).steps)) == ["a", "b", "c"]


def test_two_of_one_topic_do_not_follow_each_other_while_others_are_left():
    due = [step("a1", 9, topic="a"), step("a2", 8, topic="a"), step("a3", 7, topic="a")]
    due += [step("b1", 2, topic="b"), step("b2", 1, topic="b")]
    assert ids(plain(due).steps) == ["a1", "b1", "a2", "b2", "a3"]


def test_a_topic_alone_is_asked_in_its_order():
    due = [step("a1", 3, topic="a"), step("a2", 2, topic="a"), step("a3", 1, topic="a")]
    assert ids(plain(due).steps) == ["a1", "a2", "a3"]


def test_a_prerequisite_is_chosen_before_what_needs_it_also_under_the_cap():
    ranked = [step("top", needs=("base",)), step("base"), step("other")]
    assert ids(interleaved(ranked, 2)) == ["base", "top"]
    assert ids(interleaved(ranked, 1)) == ["base"]
