"""What the end of a session shows: what was done, and what comes next."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from uuid import UUID

from interview.cards.card import Audience
from interview.cards.library import Library
from interview.cards.plain import plain_text
from interview.recall.grade import Grade
from interview.web.keys import uuid7

from ..item_name import item_name
from ..models import Act, Confidence, Item, Plan, Session
from ..own.due_words import due_sentence
from .due import due, due_tomorrow
from .opening import come_back, end_of_today, left_for_later, small_set
from .turns import newest_act
from .undoable import Undoable


@dataclass(frozen=True, slots=True)
class Line:
    """One question or rung that was graded in the session."""

    card_id: str
    level: str
    """ "" of the question."""
    text: str
    word: str
    was_sure: bool
    """And yet missed it: worth the first look."""
    back: str
    is_there: bool
    """The card is in the content."""


@dataclass(frozen=True, slots=True)
class EndPage:
    session: Session
    lines: Sequence[Line]
    counts: Sequence[tuple[str, int]]
    """Of each grade, best first."""
    again: int
    """What was skipped, and what comes back today."""
    again_at: datetime | None
    """When the first of those comes back that were not solid; None with none."""
    not_asked: int
    """Steps that the end left open."""
    due: int
    """Cards that are due now."""
    later: int
    tomorrow: int
    """Cards that are due tomorrow, as it stands."""
    more: int
    """Cards of one more small set."""
    undo: Undoable | None
    key: UUID

    @classmethod
    def of(cls, session: Session, plan: Plan, library: Library, now: datetime) -> Self:
        acts = list(last_grades(session))
        counts = Counter(act.grade for act in acts)
        back = come_back(session, end_of_today(plan, now))
        skipped = left_for_later(session, library)
        cards = {card_id for card_id, _ in skipped} | {item.card_id for item in back}
        times = [item.due_at for item in back if item.due_at]
        today = due(session.user, plan, library, now)
        return cls(
            session=session,
            lines=lines(acts, plan, library, now),
            counts=[(grade.word, counts[grade]) for grade in reversed(Grade)],
            again=len(cards),
            again_at=min(times, default=None),
            not_asked=session.steps.filter(done_at=None).count(),
            due=len(today.steps),
            later=today.later,
            tomorrow=due_tomorrow(plan, library, now),
            more=len(small_set(plan, library, now)),
            undo=Undoable.of(newest_act(session.pk), library),
            key=uuid7(),
        )


def last_grades(session: Session) -> Sequence[Act]:
    """The last grade of each item, in the order in which they were first given."""
    acts = Act.objects.standing().grades().filter(session=session).in_order()
    found: dict[tuple[str, str], Act] = {}
    for act in acts:
        found[act.card_id, act.rung_id] = act
    return list(found.values())


def lines(
    acts: Sequence[Act], plan: Plan, library: Library, now: datetime
) -> list[Line]:
    items = {
        item.name: item
        for item in Item.objects.of(plan.user).filter(
            card_id__in={act.card_id for act in acts}
        )
    }
    found = []
    for act in acts:
        card = library.visible(act.card_id, Audience.CANDIDATE)
        rung = card.follow_up(act.rung_id) if card else None
        item = items.get(item_name(act.card_id, act.rung_id))
        found.append(
            Line(
                card_id=act.card_id,
                level=rung.level if rung else "",
                text=plain_text(rung.title)
                if rung
                else card.title_text
                if card
                else item_name(act.card_id, act.rung_id),
                word=Grade(act.grade).word,
                was_sure=act.confidence == Confidence.SURE
                and act.grade == Grade.MISSED,
                back=due_sentence(item, plan, now) if item else "",
                is_there=card is not None,
            )
        )
    return found
