"""What a person's items say: what is known, and when which card comes back."""

from collections import Counter, defaultdict
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
    due: Mapping[str, float]
    """By card, the POSIX time at which the first of its rungs comes back."""
    suspended: Set[str]
    """Ids of cards that are not asked."""

    @classmethod
    def of(cls, plan: Plan, asked: Part, now: datetime) -> Self:
        """`asked` is all that can be asked: nothing else is due. Two queries."""
        suspended = CardMark.objects.suspended(plan.user)
        rows = Item.objects.of(plan.user).values_list(
            "last_grade",
            "stability_days",
            Seconds("reviewed_at"),
            NAME,
            Seconds(ASKED_AT),
        )
        knowledge: dict[int, Known] = {}
        due: dict[str, float] = {}
        places, cards, has = asked.rungs.places, asked.rungs.cards, asked.has
        for row in rows:
            grade, _, _, name, at = row
            place = places.get(name)
            if place is None:
                continue
            if grade:
                knowledge[place] = row
            if has[place]:
                card_id = cards[place]
                if at < due.get(card_id, inf):
                    due[card_id] = at
        if plan.is_over(now):
            due = {}
        for card_id in suspended:
            due.pop(card_id, None)
        return cls(knowledge, due, suspended)

    def load(self, plan: Plan, today: date) -> tuple[int, dict[date, int]]:
        """Cards that were due before `today`, and those of each day from then on."""
        begin, days = plan.days.begin(today).timestamp(), plan.days
        coming = Counter(at for at in self.due.values() if at >= begin)
        by_day: dict[date, int] = defaultdict(int)
        for at, count in coming.items():
            by_day[days.day_of(datetime.fromtimestamp(at, UTC))] += count
        return len(self.due) - coming.total(), by_day
