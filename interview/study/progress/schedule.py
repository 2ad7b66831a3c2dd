"""What a person's items say: what is known, and when which card comes back."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import inf
from typing import Any, Self

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import FloatField, Func
from django.db.models.functions import Coalesce
from django.db.models.sql.compiler import SQLCompiler

from interview.recall.coverage import Known, Rungs

from ..models import CardMark, Item, Plan


@dataclass(frozen=True, slots=True)
class Schedule:
    knowledge: Mapping[tuple[str, str], Known]
    """Of all items that were graded."""
    due: Mapping[str, date]
    """By card, the day of study on which the first of its rungs comes back."""
    suspended: Set[str]
    """Ids of cards that are not asked."""

    @classmethod
    def of(cls, plan: Plan, rungs: Rungs, now: datetime) -> Self:
        """`rungs` are all that can be asked: nothing else is due. Two queries."""
        suspended = CardMark.objects.suspended(plan.user)
        # What rested until an interview that was moved comes when memory asks for it.
        due_at = Seconds(Coalesce("due_at", "natural_due_at"))
        rows = Item.objects.of(plan.user).values_list(
            "card_id",
            "rung_id",
            "last_grade",
            "stability_days",
            Seconds("reviewed_at"),
            due_at,
        )
        knowledge: dict[tuple[str, str], Known] = {}
        due: dict[str, float] = {}
        for card_id, rung_id, grade, stability_days, reviewed_at, at in rows:
            key = card_id, rung_id
            if grade:
                knowledge[key] = Known(grade, stability_days, reviewed_at)
            if key in rungs.places and at < due.get(card_id, inf):
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


class Seconds(Func):
    """An instant as POSIX time; the database makes it faster than Python a datetime."""

    output_field = FloatField()
    arity = 1

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        context["template"] = "((julianday(%(expressions)s) - 2440587.5) * 86400.0)"
        return self.as_sql(compiler, connection, **context)

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        context["template"] = "EXTRACT(EPOCH FROM %(expressions)s)::float8"
        return self.as_sql(compiler, connection, **context)


def days_of(due: Mapping[str, float], plan: Plan) -> dict[str, date]:
    """Most instants are beginnings of the same few days."""
    days = plan.days
    day_of = {
        at: days.day_of(datetime.fromtimestamp(round(at), UTC))
        for at in set(due.values())
    }
    return {card_id: day_of[at] for card_id, at in due.items()}
