"""The log of the last weeks, counted by the database in one query."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db.models import Case, Count, IntegerField, Q, Sum, Value, When

from interview.recall.outcomes import Tally

from ..models import Act, Plan

WEEKS = 12
"""What was before says little of today's memory; an item's history has it all."""


def tallies(plan: Plan, begins: Sequence[date], now: datetime) -> list[Tally]:
    """Of the reviews in the weeks that begin on these days, the last one until now."""
    starts = [plan.days.begin(day) for day in begins]
    latest_first = reversed(list(enumerate(starts)))
    week = Case(
        *(When(at__gte=start, then=Value(number)) for number, start in latest_first),
        output_field=IntegerField(),
    )
    tested = Q(recall__isnull=False)
    rows = (
        Act.objects.of(plan.user)
        .grades()
        .standing()
        .filter(at__gte=starts[0], at__lte=now)
        .order_by()
        .annotate(week=week)
        .values_list("week", "confidence", "grade")
        .annotate(
            reviews=Count("id"),
            tested=Count("recall"),
            wanted=Sum("retention", filter=tested, default=0.0),
            predicted=Sum("recall", default=0.0),
        )
    )
    return [Tally(*row) for row in rows]
