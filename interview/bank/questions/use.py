"""How cards fared: when they were asked, and the ratings that they got.

A rating counts when everybody on the panel is in, so that no number tells a panel
member what a colleague gave before they gave their own; for who never comes in it
waits `PATIENCE`. Voided questions were asked, but their ratings count for nobody.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from interview.rating.rating import Spread

from ..models import Asked, PanelMember, Score, Scorecard


@dataclass(frozen=True, slots=True)
class Use:
    times: int
    last: datetime | None
    spread: Spread


PATIENCE = timedelta(days=30)
"""After the day of the interview."""
NEVER = Use(0, None, Spread.of(()))


def uses(today: date) -> dict[str, Use]:
    """By card id, of every card that was asked; three queries."""
    ratings = _spreads(today)
    asked = Asked.objects.exclude(asked_at=None).order_by().values("card_id")
    return {
        row["card_id"]: Use(
            row["times"], row["last"], ratings.get(row["card_id"], NEVER.spread)
        )
        for row in asked.annotate(times=Count("*"), last=Max("asked_at"))
    }


def counting(scores: "QuerySet[Score]", today: date) -> "QuerySet[Score]":
    """Those whose rating counts in statistics."""
    return scores.exclude(rating=None).exclude(pk__in=_left_out(today))


def spread_of(counts: Mapping[int, int]) -> Spread:
    """From how often each rating was given."""
    found = +Counter(counts)
    return Spread((found[0], found[1], found[2], found[3], found[4]))


def _spreads(today: date) -> dict[str, Spread]:
    """By card id. Almost every rating counts, and an index holds all of them: it is
    quicker to take away the others than to look at each."""
    rated = Score.objects.exclude(rating=None)
    counts = _counted(rated)
    counts.subtract(_counted(rated.filter(pk__in=_left_out(today))))
    by_card: dict[str, Counter[int]] = {}
    for (card_id, rating), count in counts.items():
        by_card.setdefault(card_id, Counter())[rating] = count
    return {card_id: spread_of(found) for card_id, found in by_card.items()}


def _counted(scores: "QuerySet[Score]") -> Counter[tuple[str, int]]:
    rows = scores.order_by().values_list("card_id", "rating")
    return Counter(
        {(card, rating): n for card, rating, n in rows.annotate(n=Count("*"))}
    )


def _left_out(today: date) -> "QuerySet[Score, Any]":
    """Keys of scores that are drafts, that somebody on the panel is yet to match with
    their own, or whose question is void. Few, so that each kind has a query of its own
    through an index; in one condition they would make the database look at every
    score."""
    own = Scorecard.objects.in_().filter(
        interview=OuterRef("interview"), interviewer=OuterRef("user")
    )
    waits = PanelMember.objects.filter(interview__held_on__gt=today - PATIENCE)
    sealed = waits.filter(~Exists(own)).values("interview")
    scores = Score.objects.order_by().values("pk")
    return scores.filter(scorecard__submitted_at=None).union(
        scores.filter(scorecard__interview__in=sealed),
        scores.filter(asked__question__voided_at__isnull=False),
    )
