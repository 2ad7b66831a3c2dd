"""The log of the last weeks, counted by the database in one query."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Count, Func, IntegerField, Q, Sum
from django.db.models.sql.compiler import SQLCompiler

from interview.recall.outcomes import Tally

from ..models import Act, Plan

WEEKS = 12
"""What was before says little of today's memory; an item's history has it all."""


def tallies(plan: Plan, begins: Sequence[date], now: datetime) -> list[Tally]:
    """Of the reviews in the weeks that begin on these days, the last one until now."""
    starts = tuple(plan.days.begin(day) for day in begins)
    tested = Q(recall__isnull=False)
    rows = (
        Act.objects.of(plan.user)
        .grades()
        .standing()
        .filter(at__gte=starts[0], at__lte=now)
        .order_by()
        .annotate(week=Week("at", starts=starts))
        .values_list("week", "confidence", "grade")
        .annotate(
            reviews=Count("id"),
            tested=Count("recall"),
            wanted=Sum("retention", filter=tested, default=0.0),
            predicted=Sum("recall", default=0.0),
        )
    )
    return [Tally(*row) for row in rows]


class Week(Func):
    """In which of the weeks that begin at `starts` an instant lies, the first one
    being 0. Halved until one is left: of thousands of rows each looks at four."""

    output_field = IntegerField()
    arity = 1

    def __init__(self, instant: str, *, starts: tuple[datetime, ...]) -> None:
        super().__init__(instant)
        self.starts = starts

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        *_: Any,
        **context: Any,
    ) -> tuple[str, tuple[Any, ...]]:
        instant = compiler.compile(self.get_source_expressions()[0])[0]
        given: list[Any] = []

        def halved(weeks: range) -> str:
            if len(weeks) == 1:
                return str(weeks[0])
            half = len(weeks) // 2
            start = self.starts[weeks[half]]
            given.append(connection.ops.adapt_datetimefield_value(start))
            later, earlier = halved(weeks[half:]), halved(weeks[:half])
            return f"CASE WHEN {instant} >= %s THEN {later} ELSE {earlier} END"

        return halved(range(len(self.starts))), tuple(given)
