"""What one can do in practice, each logged in one transaction."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.db import models, transaction

from interview.cards.card import Card
from interview.recall.grade import Grade
from interview.web.models import CardVersion

from ..item_name import item_name
from .act_kind import MARKS, ON_ITEMS, ActKind
from .card_mark import CardMark
from .item import Item
from .plan import Plan
from .session import SessionStep

if TYPE_CHECKING:
    from interview.accounts.models import User

    from .act import Act


@dataclass(frozen=True, slots=True)
class Answer:
    """What was graded, and where."""

    card: Card
    rung_id: str
    grade: Grade
    turn: int = 0
    """How often the grade of this step and rung has been undone."""
    confidence: str = ""
    took_ms: int | None = None

    @property
    def name(self) -> str:
        return item_name(self.card.id, self.rung_id)


class Acts(models.QuerySet["Act"]):
    def of(self, person: "User") -> Self:
        return self.filter(user=person)

    def standing(self) -> Self:
        """Those that no later row undid, and no undos."""
        return self.exclude(kind=ActKind.UNDO).filter(undone_by=None)

    def grades(self) -> Self:
        return self.filter(kind=ActKind.GRADE)

    def in_order(self) -> Self:
        return self.order_by("at", "id")

    def on_items(self) -> Self:
        return self.filter(kind__in=ON_ITEMS)

    def grade(
        self, plan: Plan, step: SessionStep, answer: Answer, now: datetime
    ) -> "tuple[Act, bool]":
        """Log a grade and schedule its item; (act, whether it is new).

        A step and rung has one grade that stands: whoever comes second, in a second
        tab or by a request sent twice, gets what the first one logged. Whoever comes
        after an undo with the turn of before it gets what was undone.
        """
        with transaction.atomic():
            hold(plan.user)
            given = self._given(step, answer)
            for act, is_undone in given:
                if not is_undone or act.turn == answer.turn:
                    return act, False
            answer = replace(answer, turn=len(given))
            return self._grade(plan, step, answer, now), True

    def _given(self, step: SessionStep, answer: Answer) -> "list[tuple[Act, bool]]":
        """Grades of this step and rung, the standing one first; whether undone."""
        mine = self.grades().filter(step=step, card_id=answer.card.id)
        acts = mine.filter(rung_id=answer.rung_id).select_related("undone_by")
        given = [(act, hasattr(act, "undone_by")) for act in acts]
        return sorted(given, key=lambda one: (one[1], one[0].turn))

    def _grade(
        self, plan: Plan, step: SessionStep, answer: Answer, now: datetime
    ) -> "Act":
        card, terms = answer.card, plan.terms(now)
        CardVersion.objects.keep(card)
        act = self.create(
            user=plan.user,
            kind=ActKind.GRADE,
            session=step.session,
            step=step,
            turn=answer.turn,
            card_id=card.id,
            rung_id=answer.rung_id,
            grade=answer.grade,
            confidence=answer.confidence,
            took_ms=answer.took_ms,
            item_hash=card.item_hashes()[answer.name],
            card_version=card.version,
            retention=terms.retention,
            zone=terms.zone,
            last_day=terms.last_day,
            recall=Item.objects.recall(plan, answer.name, now),
            at=now,
        )
        act.schedule()
        return act

    def change(
        self,
        plan: Plan,
        step: SessionStep | None,
        card: Card,
        rung_id: str,
        kind: str,
        now: datetime,
    ) -> "Act":
        """Log that a changed item is kept or reset; no effect outside the schedule."""
        with transaction.atomic():
            hold(plan.user)
            CardVersion.objects.keep(card)
            act = self.create(
                user=plan.user,
                kind=kind,
                session=step.session if step else None,
                step=step,
                card_id=card.id,
                rung_id=rung_id,
                item_hash=card.item_hashes()[item_name(card.id, rung_id)],
                card_version=card.version,
                at=now,
            )
            act.schedule()
        return act

    def mark(
        self,
        person: "User",
        card_id: str,
        kind: str,
        now: datetime,
        step: SessionStep | None = None,
    ) -> "Act":
        """Flag or suspend a card, or take that back."""
        with transaction.atomic():
            hold(person)
            field, value = MARKS[ActKind(kind)]
            CardMark.objects.update_or_create(
                user=person, card_id=card_id, defaults={field: value}
            )
            session = step.session if step else None
            return self.create(
                user=person,
                kind=kind,
                session=session,
                step=step,
                card_id=card_id,
                at=now,
            )

    def mark_once(
        self, person: "User", card_id: str, kind: str, now: datetime
    ) -> "Act | None":
        """`mark`, unless the card is marked so already: then None, and no row."""
        with transaction.atomic():
            hold(person)
            field, value = MARKS[ActKind(kind)]
            marks = CardMark.objects.of(person).filter(card_id=card_id)
            if marks.filter(**{field: True}).exists() == value:
                return None
            return self.mark(person, card_id, kind, now)

    def skip(self, step: SessionStep, now: datetime) -> "Act":
        """Leave this step for later today."""
        with transaction.atomic():
            hold(step.session.user)
            step.skipped_at = step.done_at = now
            step.save(update_fields=["skipped_at", "done_at"])
            return self.create(
                user=step.session.user,
                kind=ActKind.SKIP,
                session=step.session,
                step=step,
                card_id=step.card_id,
                rung_id=step.rung_id,
                at=now,
            )

    def undo(self, act: "Act", now: datetime) -> bool:
        """Take back an act; False when it was taken back already, or is an undo."""
        if act.kind == ActKind.UNDO:
            return False
        with transaction.atomic():
            hold(act.user)
            if self.model.objects.filter(undoes=act).exists():
                return False
            self.create(
                user=act.user,
                kind=ActKind.UNDO,
                session=act.session,
                step=act.step,
                card_id=act.card_id,
                rung_id=act.rung_id,
                undoes=act,
                at=now,
            )
            act.take_back()
        return True


def hold(person: "User") -> None:
    """One act of a person after the other, whatever they do on two devices at once."""
    # Not type(person): the person of a request is a lazy object.
    person.__class__.objects.select_for_update(no_key=True).get(pk=person.pk)
