"""A fair set of questions for a kit, by lot."""

from collections.abc import Collection, Sequence

from interview.cards.card import Audience, Card
from interview.cards.draw import Drawn, Wish, asked_rungs, draw, planned_minutes
from interview.cards.library import Library

from ..models import Line


def drawn_lines(
    library: Library, wish: Wish, seed: int, leaked: Collection[str]
) -> list[Line]:
    """Of all cards that may be asked; the same cards, wish and seed give the same set.

    A candidate is presumed to know what a card needs, so no card waits for another; of
    two in the set, what is needed is asked first. Empty when no card suits.
    """
    cards = [
        card
        for card in library.listed(Audience.INTERVIEWER)
        if card.id not in leaked and not library.fault(card)
    ]
    drawn = draw(cards, wish, seed, known=frozenset(library.cards))
    return [new_line(each.card, wish.level) for each in needs_first(drawn)]


def new_line(card: Card, level: str) -> Line:
    """As a card comes into a kit of that level; with all its follow-ups when it has
    none up to there."""
    rungs = asked_rungs(card, level)
    if not rungs:
        rungs, level = card.follow_ups, ""
    ids = tuple(rung.id for rung in rungs)
    return Line(card.id, ids, planned_minutes(card, level))


def needs_first(drawn: Sequence[Drawn]) -> list[Drawn]:
    """In their order, but each one after what it needs of the set."""
    waiting, placed = list(drawn), []
    while waiting:
        ids = {each.card.id for each in waiting}
        ready = (each for each in waiting if not ids & {*each.card.needs})
        # A circle of needs is an error of the content; its first card goes first.
        following = next(ready, waiting[0])
        waiting.remove(following)
        placed.append(following)
    return placed
