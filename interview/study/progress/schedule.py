"""What a person's items say: what is known, and when which card comes back."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import inf
from typing import Self

from interview.recall.coverage import Knowledge, Known, Part

from ..models import CardMark, Item, Plan
from ..models.item import ASKED_AT, NAME
from ..seconds import Seconds


@dataclass(frozen=True, slots=True)
class Schedule:
    knowledge: Knowledge
    """Of all items that were graded and are still in the content."""
    due: Mapping[str, date]
    """By card, the day of study on which the first of its rungs comes back."""
    suspended: Set[str]
    """Ids of cards that are not asked."""

    @classmethod
    def of(cls, plan: Plan, asked: Part, now: datetime) -> Self:
        """`asked` is all that can be asked: nothing else is due. Two queries."""
        suspended = CardMark.objects.suspended(plan.user)
        rows = Item.objects.of(plan.user).values_list(
            NAME,
            "last_grade",
            "stability_days",
            Seconds("reviewed_at"),
            Seconds(ASKED_AT),
        )
        knowledge: dict[int, Known] = {}
        due: dict[str, float] = {}
        places, cards, has = asked.rungs.places, asked.rungs.cards, asked.has
        for name, grade, stability_days, reviewed_at, at in rows:
            place = places.get(name)
            if place is None:
                continue
            if grade:
                knowledge[place] = Known(grade, stability_days, reviewed_at)
            if has[place]:
                card_id = cards[place]
                if at < due.get(card_id, inf):
                    due[card_id] = at
        if plan.is_over(now):
            due = {}
        for card_id in suspended:
            due.pop(card_id, None)
        return cls(knowledge, days_of(due, plan), suspended)

    def load(self, today: date) -> tuple[int, dict[date, int]]:
        """Cards that were due before `today`, and those of each day from then on."""
        backlog, by_day = 0, dict[date, int]()
        for day in self.due.values():
            if day < today:
                backlog += 1
            else:
                by_day[day] = by_day.get(day, 0) + 1
        return backlog, by_day


def days_of(due: Mapping[str, float], plan: Plan) -> dict[str, date]:
    """Most instants are beginnings of the same few days."""
    days = plan.days
    day_of = {
        at: days.day_of(datetime.fromtimestamp(round(at), UTC))
        for at in set(due.values())
    }
    return {card_id: day_of[at] for card_id, at in due.items()}
