"""What a person is asked today, in which order, and what waits."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Case, Q, When
from fsrs import State

from interview.accounts.models import User
from interview.cards.card import Card
from interview.cards.library import Library
from interview.recall.days import DAY_MS, posix_ms
from interview.recall.queue import Wanted, queue

from ..milliseconds import Milliseconds
from ..models import Act, Item, Plan
from ..models.item import ASKED_AT, NAME
from .scope import Scope

OVERDUE_BEFORE_A_GRADE = 1.0
"""Of a rung that was never asked: as of what is due at a recall of 90 %."""


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


type DueItem = tuple[str, float | None, int | None, int | None]
"""Name, stability in days, when it was reviewed, and when it comes back if it is
learned again after a miss; POSIX times in ms. A class for each would be felt: a page
reads thousands."""


def due(person: User, plan: Plan, library: Library, now: datetime) -> Due:
    """Costs the same few queries whatever there is in the log."""
    done = done_today(person, plan, now)
    if not plan.has_a_day_left(now):
        return Due([], later=0, again_at=None, new=0, done_today=len(done))
    scope = Scope.of(person, plan, library)
    wanted, again_at = _wanted(scope, due_items(plan, now), done, now)
    today = queue(
        wanted,
        _unseen(person, scope),
        room=plan.daily_cap - len(done),
        new_room=plan.new_cap - sum(done.values()),
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
    if not today:
        return {}
    earlier = grades.filter(card_id__in=today, rung_id="", at__lt=begin)
    known = set(earlier.values_list("card_id", flat=True).distinct())
    return {card_id: card_id not in known for card_id in today}


def due_items(plan: Plan, now: datetime) -> list[DueItem]:
    """What is due until this day of study is over."""
    is_learned = Q(state__in=(State.Learning, State.Relearning))
    rows = Item.objects.due(plan, now).values_list(
        NAME,
        "stability_days",
        Milliseconds("reviewed_at"),
        Milliseconds(Case(When(is_learned, then="due_at"))),
    )
    return list(rows)


def due_tomorrow(plan: Plan, library: Library, now: datetime) -> int:
    """Cards of which something falls due on the next day of study."""
    begin = plan.days.end(plan.today(now))
    items = Item.objects.due(plan, begin).alias(at=ASKED_AT).filter(at__gte=begin)
    names = items.values_list(NAME)
    return len(Scope.of(plan.user, plan, library).lowest(names))


def _wanted(
    scope: Scope, items: Sequence[DueItem], done: Container[str], now: datetime
) -> tuple[list[Wanted], datetime | None]:
    """The steps that could be asked now, and when the next one of today could."""
    at_ms = posix_ms(now)
    back_ms: dict[str, int] = {}
    for name, _, _, again_ms in items:
        if again_ms is not None and again_ms > at_ms and (rung := scope.rung(name)):
            back_ms[rung.card_id] = max(again_ms, back_ms.get(rung.card_id, 0))
    # While one of its items waits to come back, the whole card does.
    cards = scope.library.cards
    wanted = [
        _step(
            cards[rung.card_id],
            rung.rung_id,
            overdue=_overdue(stability_days, reviewed_ms, at_ms),
            is_again=rung.card_id in done,
        )
        for rung, (_, stability_days, reviewed_ms, _) in scope.lowest(items)
        if rung.card_id not in back_ms
    ]
    if not back_ms:
        return wanted, None
    return wanted, datetime.fromtimestamp(min(back_ms.values()) / 1000, UTC)


def _overdue(
    stability_days: float | None, reviewed_ms: int | None, at_ms: float
) -> float:
    if stability_days is None or reviewed_ms is None:
        return OVERDUE_BEFORE_A_GRADE
    return (at_ms - reviewed_ms) / DAY_MS / stability_days


def _unseen(person: User, scope: Scope) -> Iterator[Wanted]:
    questions = Item.objects.of(person).filter(rung_id="")
    known = frozenset(questions.values_list("card_id", flat=True))
    yield from map(_step, scope.unseen(known))


def _step(
    card: Card, rung_id: str = "", overdue: float = 0.0, is_again: bool = False
) -> Wanted:
    return Wanted(card.id, rung_id, card.topics[0], card.needs, overdue, is_again)
