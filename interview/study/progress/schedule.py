"""What a person's items say: what is known, and when which card comes back."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import inf
from typing import Self

from interview.recall.coverage import Knowledge, Known, Part
from interview.recall.days import posix_ms

from ..milliseconds import Milliseconds
from ..models import CardMark, Item, Plan
from ..models.item import ASKED_AT, NAME


@dataclass(frozen=True, slots=True)
class Schedule:
    knowledge: Knowledge
    """Of all items that were graded and are still in the content."""
    due_ms: Mapping[str, int]
    """By card, the POSIX time at which the first of its rungs comes back."""
    suspended: Set[str]
    """Ids of cards that are not asked."""
    is_empty: bool
    """Nothing was graded, of cards that are gone neither."""

    @classmethod
    def of(cls, plan: Plan, asked: Part, now: datetime) -> Self:
        """`asked` is all that can be asked: nothing else is due. Two queries."""
        suspended = CardMark.objects.suspended(plan.user)
        rows = Item.objects.of(plan.user).values_list(
            "last_grade",
            "stability_days",
            Milliseconds("reviewed_at"),
            NAME,
            Milliseconds(ASKED_AT),
        )
        knowledge: dict[int, Known] = {}
        due_ms: dict[str, int] = {}
        places, cards, has = asked.rungs.places, asked.rungs.cards, asked.has
        for row in rows:
            grade, _, _, name, at_ms = row
            place = places.get(name)
            if place is None:
                continue
            if grade:
                knowledge[place] = row
            if has[place]:
                card_id = cards[place]
                if at_ms < due_ms.get(card_id, inf):
                    due_ms[card_id] = at_ms
        if plan.is_over(now):
            due_ms = {}
        for card_id in suspended:
            due_ms.pop(card_id, None)
        is_empty = not knowledge and not any(grade for grade, *_ in rows)
        return cls(knowledge, due_ms, suspended, is_empty)

    def load(self, plan: Plan, today: date) -> tuple[int, dict[date, int]]:
        """Cards that were due before `today`, and those of each day from then on."""
        days, begin_ms = plan.days, posix_ms(plan.days.begin(today))
        coming = Counter(at for at in self.due_ms.values() if at >= begin_ms)
        by_day: dict[date, int] = defaultdict(int)
        for at_ms, count in coming.items():
            by_day[days.day_of(datetime.fromtimestamp(at_ms / 1000, UTC))] += count
        return len(self.due_ms) - coming.total(), by_day
