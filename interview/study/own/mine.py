"""What one person keeps to a card: note, flag, whether it is asked, and when next."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Self

from interview.cards.card import Audience, Card

from ..models import Act, ActKind, CardMark, Item, Plan
from .due_words import due_words

if TYPE_CHECKING:
    from interview.accounts.models import User

ABOVE = "above the level of your goal"


@dataclass(frozen=True, slots=True)
class ItemLine:
    name: str
    """ "Question", "L2", or several rungs that were never asked: "L3, L4"."""
    words: str
    rung_id: str
    is_asked: bool
    """It has a history."""


@dataclass(frozen=True, slots=True)
class Mine:
    card_id: str
    card: Card | None
    """None when the card is not there any more: what was kept to it is."""
    mark: CardMark
    suspended_at: datetime | None
    lines: Sequence[ItemLine]

    @classmethod
    def of(
        cls, person: "User", card_id: str, card: Card | None, now: datetime
    ) -> Self | None:
        """None when the card is not there and nothing was ever kept to it."""
        mark = CardMark.objects.on(person, card_id)
        items = {
            item.rung_id: item
            for item in Item.objects.of(person).filter(card_id=card_id)
        }
        if card is None and not items and mark._state.adding:
            return None
        plan = Plan.objects.of(person)
        lines = item_lines(card, items, plan, now, is_suspended=mark.is_suspended)
        since = suspended_at(person, card_id) if mark.is_suspended else None
        return cls(card_id, card, mark, since, list(lines))

    @property
    def can_practise(self) -> bool:
        seen = self.card and Audience.CANDIDATE.sees(self.card.status)
        return bool(seen) and not self.mark.is_suspended

    @property
    def is_asked(self) -> bool:
        return any(line.is_asked for line in self.lines)

    @property
    def title(self) -> str:
        return self.card.title_text if self.card else self.card_id


def suspended_at(person: "User", card_id: str) -> datetime | None:
    acts = Act.objects.of(person).filter(card_id=card_id, kind=ActKind.SUSPEND)
    newest = acts.standing().in_order().last()
    return newest.at if newest else None


def item_lines(
    card: Card | None,
    items: Mapping[str, Item],
    plan: Plan,
    now: datetime,
    *,
    is_suspended: bool,
) -> Iterator[ItemLine]:
    """Question and rungs in file order, then what has left the card."""
    names, levels = item_names(card), rung_levels(card)
    unasked = unasked_names(card, items)
    for rung_id, name in names.items():
        if item := items.get(rung_id):
            above = plan.level and levels.get(rung_id, "") > plan.level
            when = ABOVE if above else due_words(item, plan, now)
            words = item_words(item, "" if is_suspended else when)
            yield ItemLine(name, words, rung_id, bool(item.reviews))
    if unasked:
        yield ItemLine(", ".join(unasked), "not asked yet", "", False)
    for rung_id, item in items.items():
        if rung_id not in names:
            words = item.last_grade or "not asked yet"
            gone = "no longer there" if card is None else "no longer on the card"
            yield ItemLine(rung_id or "Question", f"{words}, {gone}", rung_id, True)


def item_names(card: Card | None) -> dict[str, str]:
    """By rung id, "" for the question; rungs of one level are told apart."""
    if card is None:
        return {}
    levels = Counter(rung.level for rung in card.follow_ups)
    seen: Counter[str] = Counter()
    names = {"": "Question"}
    for rung in card.follow_ups:
        seen[rung.level] += 1
        of = levels[rung.level]
        place = f" ({seen[rung.level]} of {of})" if of > 1 else ""
        names[rung.id] = f"{rung.level}{place}"
    return names


def rung_levels(card: Card | None) -> dict[str, str]:
    return {rung.id: rung.level for rung in card.follow_ups} if card else {}


def unasked_names(card: Card | None, items: Mapping[str, Item]) -> list[str]:
    """Shortest: two rungs that nobody asked are one level."""
    names = item_names(card)
    levels = rung_levels(card)
    asked = {levels.get(rung_id) for rung_id in items}
    found = [
        names[rung_id] if level in asked else level
        for rung_id, level in levels.items()
        if rung_id not in items
    ]
    question = ["Question"] if card and "" not in items else []
    return list(dict.fromkeys([*question, *found]))


def item_words(item: Item, when: str) -> str:
    """ "solid, back on Thursday" """
    return ", ".join(filter(None, [item.last_grade, when])) or "not asked yet"
