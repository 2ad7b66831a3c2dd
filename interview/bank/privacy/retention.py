"""What is older than this installation keeps interviews, and its end."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Self

from ..models import CandidateLink, Interview, Pack
from .forgetting import erase


@dataclass(frozen=True, slots=True)
class Due:
    before: date
    """The first day whose interviews are kept."""
    interviews: list[Interview]
    """Held earlier."""
    links: list[CandidateLink]
    """Expired, so that they open nothing any more, of other interviews."""
    packs: list[Pack]
    """Brought in and never answered for."""

    @classmethod
    def of(cls, keep_days: int, now: datetime) -> Self:
        before = now.date() - timedelta(days=keep_days)
        old = Interview.objects.filter(held_on__lt=before).order_by("held_on", "pk")
        expired = CandidateLink.objects.filter(expires_at__lte=now)
        kept = expired.exclude(interview__held_on__lt=before)
        return cls(
            before=before,
            interviews=list(old),
            links=list(kept),
            packs=list(Pack.objects.stale(now).defer("texts", "errors")),
        )

    def delete(self, now: datetime) -> list[Interview]:
        """One interview after the other; those that were there still."""
        for each in (*self.links, *self.packs):
            each.delete()
        return [each for each in self.interviews if erase(each, None, now)]
