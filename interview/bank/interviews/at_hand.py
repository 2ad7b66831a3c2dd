"""What waits for somebody who interviews: the next interviews, scorecards to submit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from interview.accounts.models import User

from ..models import Interview, Scorecard

SHOWN = 3


@dataclass(frozen=True, slots=True)
class AtHand:
    coming: Sequence[Interview]
    """The next ones on whose panel the person sits, from today on."""
    waiting: Sequence[Interview]
    """Those that are over without the person's scorecard, the last first."""
    has_kits: bool

    @classmethod
    def of(cls, person: User, today: date) -> Self | None:
        """None for who may not interview, and before there is a kit to use."""
        mine = Interview.objects.judged_by(person).select_related("version__kit")
        submitted = Scorecard.objects.in_().filter(interviewer=person)
        due = mine.exclude(pk__in=submitted.values("interview"))
        coming = mine.filter(ended_at=None, held_on__gte=today)
        over = due.filter(ended_at__isnull=False)
        found = cls(
            coming=list(coming.order_by("held_on", "pk")[:SHOWN]),
            waiting=list(over.order_by("-ended_at")[:SHOWN]),
            has_kits=person.may_interview and person.kits.exists(),
        )
        return found if found.coming or found.waiting or found.has_kits else None
