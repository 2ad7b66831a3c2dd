"""What stands above every page of one interview."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from interview.accounts.models import User

from ..models import Interview


@dataclass(frozen=True, slots=True)
class Head:
    panel: Sequence[str]
    """Names."""
    is_judge: bool
    """Whoever looks sits on the panel: they have a console and a scorecard there."""

    @classmethod
    def of(cls, interview: Interview, person: User) -> Self:
        members = interview.members()
        return cls(
            panel=[each.name for each in members],
            is_judge=any(each.pk == person.pk for each in members),
        )
