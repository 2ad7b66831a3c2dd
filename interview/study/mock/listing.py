"""A person's mock interviews, newest first: what each was and where it stands."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from interview.accounts.models import User
from interview.cards.library import Library

from ..models import Mock, SessionStep

SHOWN = 50


@dataclass(frozen=True, slots=True)
class Row:
    mock: Mock
    role: str
    """ "Every role" without one."""
    asked: int
    planned: int
    """Questions."""


def rows_of(person: User, library: Library) -> Sequence[Row]:
    """Two queries; the last fifty."""
    mocks = list(Mock.objects.of(person)[:SHOWN])
    steps = SessionStep.objects.filter(session__in=mocks).order_by()
    counts = steps.values("session_id").annotate(
        asked=Count("asked_at"), planned=Count("pk")
    )
    found = {each["session_id"]: each for each in counts}
    return [
        Row(
            mock,
            role_of(mock, library),
            asked=found[mock.pk]["asked"],
            planned=found[mock.pk]["planned"],
        )
        for mock in mocks
    ]


def role_of(mock: Mock, library: Library) -> str:
    word = library.vocabulary.roles.get(mock.role, mock.role)
    return str(word) or "Every role"
