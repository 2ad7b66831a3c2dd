"""What a person is asked today, in which order, and what waits."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models.functions import Coalesce
from fsrs import State

from interview.accounts.models import User
from interview.cards.card import Card
from interview.cards.library import Library
from interview.recall.queue import Wanted, queue

from ..models import Act, Item, Plan
from .scope import Scope

OVERDUE_BEFORE_A_GRADE = 1.0
"""Of a rung that was never asked: as of what is due at a recall of 90 %."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Due:
    steps: list[tuple[str, str]]
    """Today's, as (card id, rung id) in asking order, one per card: the question when
    it is due, else the lowest rung that is; "" is the question."""
    later: int
    """Cards that are due and wait for another day because of the cap."""
    again_at: datetime | None
    """When the next one of today's that was missed comes back."""
    new: int
    """Of the steps: cards never asked before."""
    done_today: int
    """Cards that were graded on this day of study."""


@dataclass(frozen=True, slots=True)
class DueItem:
    rung_id: str
    state: int | None
    stability_days: float | None
    reviewed_at: datetime | None
    due_at: datetime | None

    def overdue(self, now: datetime) -> float:
        if self.stability_days is None or self.reviewed_at is None:
            return OVERDUE_BEFORE_A_GRADE
        return (now - self.reviewed_at) / DAY / self.stability_days

    def waits(self, now: datetime) -> bool:
        """Missed minutes ago: it comes back today, and not yet."""
        learning = self.state in (State.Learning, State.Relearning)
        return learning and self.due_at is not None and self.due_at > now


def due(person: User, plan: Plan, library: Library, now: datetime) -> Due:
    """Costs the same few queries whatever there is in the log."""
    done = done_today(person, plan, now)
    if not plan.has_a_day_left(now):
        return Due([], later=0, again_at=None, new=0, done_today=len(done))
    scope = Scope.of(person, plan, library)
    wanted, again_at = _wanted(scope, due_items(plan, now), set(done), now)
    new_room = plan.new_cap - sum(done.values())
    today = queue(
        wanted,
        _unseen(person, scope) if new_room > 0 else [],
        room=plan.daily_cap - len(done),
        new_room=new_room,
    )
    steps = [(step.card_id, step.rung_id) for step in today.steps]
    return Due(steps, today.later, again_at, today.new, len(done))


def done_today(person: User, plan: Plan, now: datetime) -> Mapping[str, bool]:
    """Ids of the cards graded on this day of study, and whether for the first time."""
    begin = plan.days.begin(plan.today(now))
    grades = Act.objects.of(person).grades().standing()
    today = set(
        grades.filter(at__gte=begin, at__lte=now).values_list("card_id", flat=True)
    )
    earlier = grades.filter(card_id__in=today, rung_id="", at__lt=begin)
    known = set(earlier.values_list("card_id", flat=True).distinct())
    return {card_id: card_id not in known for card_id in today}


def due_items(plan: Plan, now: datetime) -> Mapping[str, list[DueItem]]:
    """By card, what is due until this day of study is over."""
    fields = ("rung_id", "state", "stability_days", "reviewed_at", "due_at")
    found: dict[str, list[DueItem]] = defaultdict(list)
    rows = Item.objects.due(plan, now).values_list("card_id", *fields)
    for card_id, *columns in rows:
        found[card_id].append(DueItem(*columns))
    return found


def due_tomorrow(plan: Plan, library: Library, now: datetime) -> int:
    """Cards of which something falls due on the next day of study."""
    begin = plan.days.end(plan.today(now))
    items = Item.objects.due(plan, begin).alias(at=Coalesce("due_at", "natural_due_at"))
    found: dict[str, list[Item]] = defaultdict(list)
    for item in items.filter(at__gte=begin):
        found[item.card_id].append(item)
    scope = Scope.of(plan.user, plan, library)
    cards = {card_id: scope.card(card_id) for card_id in found}
    return sum(
        bool(card and scope.climbed(card, found[card.id])) for card in cards.values()
    )


def _wanted(
    scope: Scope, items: Mapping[str, list[DueItem]], done: set[str], now: datetime
) -> tuple[list[Wanted], datetime | None]:
    """The steps that could be asked now, and when the next one of today could."""
    wanted, waiting = [], []
    for card_id, of_card in items.items():
        card = scope.card(card_id)
        asked = scope.climbed(card, of_card) if card else []
        # While one of its items waits to come back, the whole card does.
        back = [item.due_at for item in asked if item.due_at and item.waits(now)]
        if back:
            waiting.append(max(back))
        elif card and asked:
            first = asked[0]
            is_again = card_id in done
            wanted.append(_step(card, first.rung_id, first.overdue(now), is_again))
    return wanted, min(waiting, default=None)


def _unseen(person: User, scope: Scope) -> list[Wanted]:
    questions = Item.objects.of(person).filter(rung_id="")
    known = frozenset(questions.values_list("card_id", flat=True))
    return [_step(card) for card in scope.unseen(known)]


def _step(
    card: Card, rung_id: str = "", overdue: float = 0.0, is_again: bool = False
) -> Wanted:
    return Wanted(card.id, rung_id, card.topics[0], card.needs, overdue, is_again)
