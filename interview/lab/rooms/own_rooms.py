"""The list of one's rooms: those that are open, and those that ended."""

from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from interview.accounts.models import User

from ..models import Room, RoomSeat, Step
from .choice import choices

NEWEST = 100
"""So many of the ended ones are listed."""


def rooms_context(person: User) -> dict[str, Any]:
    """Each room with `people` and `shown`: its seats, and its steps."""
    seats = RoomSeat.objects.filter(removed_at=None)
    counted = Room.objects.of(person).select_related("host")
    counted = counted.annotate(people=of_each(seats), shown=of_each(Step.objects.all()))
    return {
        "open_rooms": list(counted.filter(ended_at=None)),
        "ended_rooms": list(counted.exclude(ended_at=None)[:NEWEST]),
        "choices": choices(),
    }


def of_each(rows: QuerySet[Any]) -> Coalesce:
    """How many of `rows` a room has, whatever its own query joins."""
    here = rows.filter(room=OuterRef("pk")).order_by().values("room")
    return Coalesce(Subquery(here.annotate(n=Count("pk")).values("n")), 0)
