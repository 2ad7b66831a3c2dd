"""What stands against a kit, what it covers, and what the lot draws for one."""

from dataclasses import replace

import pytest

from interview.bank.kits.coverage import Coverage
from interview.bank.kits.drawing import drawn_lines, new_line
from interview.bank.kits.fairness import Fairness, Frame
from interview.bank.models import Line
from interview.cards.card import Status
from interview.cards.draw import Wish, minutes_for
from interview.cards.problem import Place, Problem
from interview.cards.rules import UNREADABLE
from interview.web.content import library
from tests.bank.stage import FIRST, SECOND, THIRD, line

FOURTH = "chunked-prefill-tradeoff"


def changed(card_id, **what):
    """The library with one card that is otherwise."""
    cards = library().cards
    return replace(library(), cards=cards | {card_id: replace(cards[card_id], **what)})


def check(*lines, role="", level="L4", content=None, leaked=None):
    frame = Frame(role, level)
    return Fairness.of(lines, frame, content or library(), leaked or {})


def error(*lines, **options):
    """The only finding, which is an error."""
    found = check(*lines, **options)
    assert not found.advice
    [only] = found.errors
    return only.position, only.sentence


def advice(*lines, **options):
    found = check(*lines, **options)
    assert not found.errors
    [only] = found.advice
    return only.position, only.sentence


def usual(card_id, levels=("L1", "L2", "L3", "L4")):
    """With as many minutes as the card takes."""
    asked = line(card_id, levels=levels)
    minutes = minutes_for(library().cards[card_id], len(asked.rung_ids))
    return replace(asked, minutes=minutes)


def test_nothing_stands_against_a_fair_kit():
    assert check(*map(usual, (FIRST, SECOND, THIRD))).findings == []


def test_a_kit_without_a_question_is_none():
    assert error() == (0, "The kit has no question.")


def test_a_card_that_left_is_named_with_the_reason():
    gone = replace(library(), gone={"old-card": "nobody asks it"})
    old = Line("old-card", ("a",), 5)
    assert error(usual(FIRST), old, content=gone) == (
        2,
        "Card old-card left the content: nobody asks it",
    )


@pytest.mark.parametrize(
    ("status", "said"), [(Status.RETIRED, "retired"), (Status.DRAFT, "draft")]
)
def test_a_card_that_is_retired_or_a_draft_is_told(status, said):
    position, sentence = error(usual(FIRST), content=changed(FIRST, status=status))
    assert position == 1
    assert said in sentence


def test_a_kit_only_card_is_as_good_as_a_published_one():
    kit_only = changed(FIRST, status=Status.KIT_ONLY)
    assert check(usual(FIRST), content=kit_only).findings == []


def test_a_broken_file_is_told_with_the_line_to_mend():
    path = library().cards[FIRST].path
    problem = Problem(UNREADABLE, path, Place(7, 1), "It is torn.")
    broken = replace(library(), broken=frozenset({path}), problems=(problem,))
    [found] = check(usual(FIRST), content=broken).errors
    assert "It is torn." in found.sentence
    assert f"line 7 of {path}" in found.what_to_do


def test_a_leaked_card_is_told_with_the_reason():
    told = error(usual(FIRST), leaked={FIRST: "It was on a forum."})
    assert told == (1, "Candidates know this card: It was on a forum.")


def test_a_card_that_is_there_twice_is_told_at_the_second():
    told = error(usual(FIRST), usual(SECOND), usual(FIRST))
    assert told == (3, "The card is question 1 already.")


def test_what_a_card_builds_on_comes_before_it():
    position, sentence = error(usual(SECOND), usual(FIRST))
    assert position == 1
    assert "which is question 2" in sentence


def test_what_is_not_in_the_kit_is_presupposed():
    assert check(usual(FOURTH)).findings == []


@pytest.mark.parametrize(
    ("levels", "holes"),
    [
        (("L1", "L3"), "L3 but not at L2"),
        (("L4",), "L4 but not at L1, L2 and L3"),
        (("L2", "L4"), "L4 but not at L1 and L3"),
    ],
)
def test_follow_ups_climb_without_a_hole(levels, holes):
    found = check(usual(FIRST, levels=levels), level=levels[-1]).errors
    assert [holes in each.sentence for each in found] == [True]


def test_one_of_two_follow_ups_at_a_level_is_no_hole():
    card = library().cards[FIRST]
    at_l3 = [rung.id for rung in card.follow_ups if rung.level == "L3"]
    assert len(at_l3) == 2
    every = usual(FIRST)
    fewer = tuple(rung for rung in every.rung_ids if rung != at_l3[0])
    assert check(replace(every, rung_ids=fewer)).findings == []


def test_a_follow_up_that_is_gone_is_told():
    asked = usual(FIRST)
    with_old = replace(asked, rung_ids=(*asked.rung_ids, "old"))
    assert error(with_old) == (1, "The card has no follow-up old any more.")


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(2, "2 min are few"), (3, ""), (12, ""), (13, "13 min are many")],
)
def test_minutes_are_half_to_twice_what_the_card_takes(minutes, said):
    asked = usual(FIRST)
    assert asked.minutes == 6
    found = check(replace(asked, minutes=minutes)).advice
    assert [each.sentence.partition(":")[0] for each in found] == [said] * bool(said)


def test_a_question_that_ends_below_the_kits_level_is_told():
    position, sentence = advice(usual(FIRST, levels=("L1", "L2")), level="L3")
    assert position == 1
    assert "end at L2" in sentence
    assert check(usual(FIRST, levels=("L1", "L2")), level="L2").findings == []


def test_a_card_of_another_role_is_told():
    position, sentence = advice(usual(SECOND), role="gpu-kernel-engineering")
    assert position == 1
    assert "GPU Kernel Engineering" in sentence


def test_more_than_half_of_one_topic_is_told_from_the_fourth_on():
    of_one = ["ttft-decomposition", "request-path-through-vllm", THIRD]
    assert check(*map(usual, [FIRST, *of_one[1:]])).findings == []
    told = advice(*map(usual, [FIRST, "cuda-graphs-for-decode", *of_one]))
    assert told == (
        0,
        "4 of 5 questions are of one topic: Request life cycle and metrics.",
    )


def test_errors_come_before_advice():
    found = check(replace(usual(FIRST), minutes=60), usual(FIRST)).findings
    assert [(each.weight, each.position) for each in found] == [
        ("error", 2),
        ("advice", 1),
    ]


def test_coverage_counts_follow_ups_in_each_topic_of_their_card():
    lines = [line(THIRD, levels=("L1", "L2")), line(SECOND, levels=("L1",))]
    found = Coverage.of(lines, library().cards, library().vocabulary)
    assert {row.title: row.counts for row in found.topics} == {
        "Request life cycle and metrics": (2, 2, 0, 0),
        "SLO, goodput and benchmarking method": (2, 2, 0, 0),
        "Scheduler": (1, 0, 0, 0),
    }


def test_coverage_names_the_questions_of_each_competence_and_what_is_missing():
    found = Coverage.of([line(SECOND)], library().cards, library().vocabulary)
    assert [(row.word.slug, row.positions) for row in found.covered] == [
        ("engine-internals", [1]),
        ("tuning", [1]),
    ]
    assert len(found.covered) + len(found.missing) == 11


def test_minutes_of_a_card_that_left_count_and_are_not_compared():
    lines = [Line("old-card", ("a",), 5), usual(FIRST)]
    found = Coverage.of(lines, library().cards, library().vocabulary)
    assert (found.minutes, found.usual_minutes) == (11, 6)


@pytest.mark.parametrize("seed", range(1, 13))
@pytest.mark.parametrize("level", ["L2", "L4"])
def test_a_drawn_set_has_nothing_to_put_right(seed, level):
    lines = drawn_lines(library(), Wish(60, level), seed, ())
    assert check(*lines, level=level).errors == []
    assert 50 <= sum(each.minutes for each in lines) <= 70


def test_a_seed_draws_the_same_set_again():
    wish = Wish(45)
    assert drawn_lines(library(), wish, 7, ()) == drawn_lines(library(), wish, 7, ())
    assert drawn_lines(library(), wish, 7, ()) != drawn_lines(library(), wish, 8, ())


def test_a_leaked_or_broken_or_unfinished_card_is_not_drawn():
    one = replace(library(), cards={FIRST: library().cards[FIRST]})
    assert [each.card_id for each in drawn_lines(one, Wish(45), 1, ())] == [FIRST]
    assert drawn_lines(one, Wish(45), 1, {FIRST}) == []
    draft = replace(one.cards[FIRST], status=Status.DRAFT)
    assert drawn_lines(replace(one, cards={FIRST: draft}), Wish(45), 1, ()) == []
    torn = replace(one, broken=frozenset({draft.path}))
    problem = Problem(UNREADABLE, draft.path, Place(7, 1), "It is torn.")
    assert drawn_lines(replace(torn, problems=(problem,)), Wish(45), 1, ()) == []


def test_a_card_comes_in_with_its_follow_ups_up_to_the_level():
    card = library().cards[FIRST]
    assert new_line(card, "L2") == usual(FIRST, levels=("L1", "L2"))
    without_low = replace(card, follow_ups=card.follow_ups[-1:])
    assert new_line(without_low, "L1").rung_ids == (card.follow_ups[-1].id,)
