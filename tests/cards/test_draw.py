"""A drawn kit is fair: rules that hold for every seed, wish and person."""

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from interview.cards.card import LEVELS, Audience
from interview.cards.draw import Wish, asked_rungs, draw, planned_minutes
from interview.cards.library import Library

ROOT = Path(__file__).resolve().parents[2] / "content"
SEEDS = range(1, 26)
MINUTES = (20, 30, 45, 60)


@pytest.fixture(scope="module")
def library():
    return Library.load([ROOT])


@pytest.fixture(scope="module")
def cards(library):
    return library.listed(Audience.CANDIDATE)


@pytest.fixture(scope="module")
def wishes(library):
    roles = ("", *library.vocabulary.roles)
    return [Wish(*each) for each in product(MINUTES, LEVELS, roles)]


@pytest.fixture(scope="module")
def kits(cards, wishes):
    """Of somebody of whom nothing is known."""
    return [(w, draw(cards, w, seed)) for w in wishes for seed in SEEDS[:8]]


@pytest.fixture
def made(cards):
    """Makes cards of four levels, ten minutes each, from one of the repository."""
    whole = next(
        card
        for card in cards
        if {rung.level for rung in card.follow_ups} == set(LEVELS)
    )

    def make(card_id, topic="a", **changes):
        base = {"topics": (topic,), "needs": (), "levels": ("L1", "L4"), "minutes": 10}
        return replace(whole, id=card_id, **base | changes)

    return make


def ids(kit):
    return [drawn.card.id for drawn in kit]


def total(kit):
    return sum(drawn.minutes for drawn in kit)


def test_every_role_and_level_gets_a_kit_without_repetition(kits):
    for wish, kit in kits:
        assert kit, wish
        assert len(set(ids(kit))) == len(kit)


@pytest.mark.parametrize("seed", range(10))
def test_every_role_has_45_minutes_for_a_senior_without_gaps(library, cards, seed):
    for role in library.vocabulary.roles:
        kit = draw(cards, Wish(45, "L3", role), seed)
        assert 42 <= total(kit) <= 48, role
        assert len({drawn.card.topics[0] for drawn in kit}) >= 6, role
        for drawn in kit:
            levels = {rung.level for rung in asked_rungs(drawn.card, "L3")}
            assert levels == {"L1", "L2", "L3"}, drawn.card.id


def test_a_kit_keeps_to_its_role_and_level(kits):
    for wish, kit in kits:
        for drawn in kit:
            assert not wish.role or wish.role in drawn.card.roles
            assert min(drawn.card.levels) <= wish.level
            rungs = asked_rungs(drawn.card, wish.level)
            assert all(rung.level <= wish.level for rung in rungs)
            assert drawn.minutes == planned_minutes(drawn.card, wish.level)


def test_what_a_card_needs_comes_before_it(cards, kits):
    for wish, kit in kits:
        suitable = {card.id for card in cards if wish.suits(card)}
        for at, drawn in enumerate(kit):
            asked_here = suitable & set(drawn.card.needs)
            assert asked_here <= set(ids(kit)[:at]), (wish, ids(kit))


def test_what_is_known_need_not_come_before(cards):
    wish, known = Wish(45), frozenset(card.id for card in cards)
    starts = {ids(draw(cards, wish, seed, known))[0] for seed in SEEDS}
    assert len(starts) > len(SEEDS) / 3
    assert any(
        "two-phases-of-a-request" not in ids(draw(cards, wish, s, known)) for s in SEEDS
    )


def test_the_minutes_are_as_near_as_one_question_allows(cards, kits):
    for wish, kit in kits:
        suitable = {card.id: card for card in cards if wish.suits(card)}
        chosen, off = set(ids(kit)), total(kit) - wish.minutes
        assert off <= max(drawn.minutes for drawn in kit) / 2
        for card in suitable.values():
            if card.id not in chosen and suitable.keys() & set(card.needs) <= chosen:
                assert abs(off + planned_minutes(card, wish.level)) >= abs(off)


def test_no_topic_comes_twice_while_another_could_come_first(cards):
    known = frozenset(card.id for card in cards)
    for wish in (Wish(60), Wish(60, "L2"), Wish(60, "L4", "platform-sre")):
        suitable = {card.topics[0] for card in cards if wish.suits(card)}
        for seed in SEEDS:
            kit = draw(cards, wish, seed, known)
            counts = Counter(drawn.card.topics[0] for drawn in kit)
            assert max(counts.values()) == 1 or len(counts) == len(suitable)


def test_every_topic_of_a_role_has_its_turn(cards):
    known = frozenset(card.id for card in cards)
    wish = Wish(45, "L4", "inference-engineering")
    seen = {
        drawn.card.topics[0]
        for seed in range(1, 101)
        for drawn in draw(cards, wish, seed, known)
    }
    assert seen == {card.topics[0] for card in cards if wish.suits(card)}


def test_the_same_seed_draws_the_same_in_whatever_order_the_cards_come(cards):
    for seed in SEEDS:
        kit = draw(cards, Wish(45), seed)
        assert draw(cards[::-1], Wish(45), seed) == kit
    assert len({tuple(ids(draw(cards, Wish(45), seed))) for seed in SEEDS}) > 15


def test_a_seed_draws_what_it_always_drew(made):
    cards = [made(f"card-{n}", topic=f"topic-{n % 3}") for n in range(6)]
    assert ids(draw(cards, Wish(60), 1)) == [f"card-{n}" for n in (0, 1, 5, 3, 4, 2)]


def test_recent_cards_stay_out_while_others_fill_the_time(cards):
    known = frozenset(card.id for card in cards)
    for seed in SEEDS:
        first = draw(cards, Wish(45), seed, known)
        second = draw(cards, Wish(45), seed, known, recent=frozenset(ids(first)))
        assert not set(ids(first)) & set(ids(second))


def test_recent_cards_come_back_rather_than_half_an_interview(made):
    cards = [made(f"card-{n}", topic=f"topic-{n}") for n in range(4)]
    recent = frozenset({"card-0", "card-1"})
    kit = draw(cards, Wish(30), 1, recent=recent)
    assert len(kit) == 3
    assert set(ids(kit)[:2]) == {"card-2", "card-3"}


def test_a_recent_card_opens_the_way_to_others_only_when_needed(made):
    base, above = made("base"), made("above", needs=("base",))
    other = made("other", topic="b")
    recent = frozenset({"base"})
    assert ids(draw([base, above, other], Wish(10), 1, recent=recent)) == ["other"]
    kit = draw([base, above, other], Wish(30), 1, recent=recent)
    assert ids(kit) == ["other", "base", "above"]


def test_what_no_card_of_the_role_asks_is_presupposed(made):
    elsewhere = made("elsewhere", roles=("platform-sre",))
    card = made("card", roles=("inference-engineering",), needs=("elsewhere", "gone"))
    wish = Wish(10, "L4", "inference-engineering")
    assert ids(draw([elsewhere, card], wish, 1)) == ["card"]


def test_fewer_follow_ups_take_fewer_minutes(made):
    card = made("card")
    planned = [planned_minutes(card, level) for level in LEVELS]
    assert planned == sorted(planned)
    assert planned[-1] == planned_minutes(card, "") == 10
    assert planned[0] >= 10 * 2 / 7


def test_cards_that_need_each_other_are_never_asked(made):
    ring = [made("one", needs=("two",)), made("two", needs=("one",))]
    assert draw(ring, Wish(30), 1) == ()


def test_no_card_no_kit():
    assert draw([], Wish(45), 1) == ()
