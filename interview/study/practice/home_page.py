"""What the front page of practice shows: today, the session to go on with, a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from urllib.parse import urlencode
from uuid import UUID

from interview.accounts.models import User
from interview.cards.library import Library
from interview.web.keys import uuid7

from ..models import Plan, Session
from .due import Due, due
from .opening import askable, small_set
from .picks import Pick
from .step_page import Place
from .turns import newest_act
from .undoable import Undoable


@dataclass(frozen=True, slots=True)
class OpenSession:
    session: Session
    place: Place

    @classmethod
    def of(cls, person: User) -> Self | None:
        """The one begun last that has something left to ask."""
        mine = Session.objects.of(person).practice().open().newest_first()
        session = mine.filter(steps__done_at=None).distinct().first()
        step = session.open_step() if session else None
        if session is None or step is None:
            return None
        step.session = session
        return cls(session, Place.of(step))


@dataclass(frozen=True, slots=True)
class Practised:
    """What the front page of the site says of practice."""

    due: Due
    going_on: OpenSession | None

    @classmethod
    def of(cls, person: User, library: Library, now: datetime) -> Self:
        today = due(person, Plan.objects.of(person), library, now)
        return cls(today, OpenSession.of(person))


@dataclass(frozen=True, slots=True)
class HomePage:
    plan: Plan
    is_over: bool
    """The interview was."""
    days_left: int | None
    """Until the interview; None without one, or after it."""
    due: Due
    pick: Pick | None
    """The cards of a filter, when one came along from the list."""
    query: str
    going_on: OpenSession | None
    undo: Undoable | None
    """Of the last session."""
    key: UUID
    """Of the session that a start would open; sent twice it opens one."""
    more: int
    """Cards of one more small set, when nothing is due."""
    is_bare: bool
    """There is no card that could be practised."""

    @classmethod
    def of(
        cls, person: User, query: Mapping[str, str], library: Library, now: datetime
    ) -> Self:
        plan = Plan.objects.of(person)
        over = plan.is_over(now)
        given = urlencode(dict(query.items()))
        pick = Pick.of(given, person, library, now) if query else None
        today = due(person, plan, library, now)
        last = Session.objects.of(person).practice().newest_first().first()
        return cls(
            plan=plan,
            is_over=over,
            days_left=plan.days_left(now),
            due=today,
            pick=pick,
            query=pick.filters.query if pick else "",
            going_on=OpenSession.of(person),
            undo=Undoable.of(newest_act(last.pk), library) if last else None,
            key=uuid7(),
            more=0 if today.steps else len(small_set(plan, library, now)),
            is_bare=not today.steps and not askable(person, library),
        )
