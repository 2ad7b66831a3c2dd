"""A mock interview: a timed pass through its questions, then a pass to grade them.

While the first one lasts `ended_at` is None, and nobody is shown an answer.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.db import models, transaction

from interview.cards.card import Card
from interview.cards.draw import Drawn, Wish, asked_rungs
from interview.recall.grade import Grade
from interview.web.keys import uuid7

from ..stage import asked, rung_of
from .act import Act
from .acts import Answer, hold
from .attempt import Attempt, as_kept
from .plan import Plan
from .session import Session, SessionKind, SessionStep

if TYPE_CHECKING:
    from interview.accounts.models import User


class Mocks(models.QuerySet["Mock"]):
    def of(self, person: "User") -> Self:
        mine = self.filter(user=person, kind=SessionKind.MOCK)
        return mine.order_by("-started_at", "-id")

    def card_ids(self, person: "User", last: int) -> frozenset[str]:
        """What the person was asked in their last mocks."""
        recent = list(self.of(person).values_list("pk", flat=True)[:last])
        asked = SessionStep.objects.filter(session__in=recent)
        return frozenset(asked.values_list("card_id", flat=True))

    @transaction.atomic
    def begin(
        self,
        person: "User",
        key: UUID,
        wish: Wish,
        seed: int,
        kit: Iterable[Drawn],
        now: datetime,
    ) -> "Mock":
        """The clock runs from now. `key` is its id, so that a form sent twice begins
        one mock: the second kit is not looked at while the first mock lasts."""
        hold(person)
        begun = self.of(person).filter(pk=key, ended_at=None).first()
        if begun:
            return begun
        mock = self.create(
            pk=uuid7() if Session.objects.filter(pk=key).exists() else key,
            user=person,
            kind=SessionKind.MOCK,
            seed=seed,
            role=wish.role,
            level=wish.level,
            minutes=wish.minutes,
            started_at=now,
        )
        steps = [
            SessionStep(
                session=mock, position=at, card_id=drawn.card.id, minutes=drawn.minutes
            )
            for at, drawn in enumerate(kit, start=1)
        ]
        steps[0].asked_at = now
        SessionStep.objects.bulk_create(steps)
        return mock


class Mock(Session):
    objects = Mocks.as_manager()  # type: ignore[misc,assignment]  # verbs of its own

    class Meta:
        proxy = True

    def in_order(self) -> models.QuerySet[SessionStep]:
        return SessionStep.objects.filter(session_id=self.pk).order_by("position")

    def current(self) -> SessionStep | None:
        """The question that is being asked; None when the timed pass is over."""
        if self.ended_at:
            return None
        return self.in_order().filter(asked_at__isnull=False, done_at=None).first()

    def planned_minutes(self) -> int:
        return self.in_order().aggregate(sum=models.Sum("minutes"))["sum"] or 0

    @transaction.atomic
    def go_on(
        self,
        position: int,
        rung_id: str,
        text: str,
        card: Card | None,
        now: datetime,
        *,
        passes: bool = False,
    ) -> None:
        """Leave this question or rung for what is asked next.

        `rung_id` is where the person was ("" at the question): who sends that twice, or
        from an old tab, moves nothing. `card` is None when it left the content.
        """
        step = self._held(position)
        if step is None or not self._keep(step, rung_id, text, card, now):
            return
        ahead = None if passes else next_rung(card, self.level, rung_id)
        if ahead is not None:
            step.stage = asked(ahead)
            step.save(update_fields=["stage"])
        else:
            step.skipped_at = now if passes else None
            self._leave(step, now)

    @transaction.atomic
    def write(
        self,
        position: int,
        rung_id: str,
        text: str,
        card: Card | None,
        now: datetime,
    ) -> None:
        """Keep what was typed so far."""
        step = self._held(position)
        if step:
            self._keep(step, rung_id, text, card, now)

    @transaction.atomic
    def end(self, now: datetime) -> None:
        """Stop before the last question; what was not asked stays so."""
        hold(self.user)
        self.refresh_from_db()
        if self.ended_at is None:
            self.in_order().exclude(asked_at=None).filter(done_at=None).update(
                done_at=now
            )
            self._over(now)

    def grade(
        self,
        step: SessionStep,
        card: Card,
        rung_id: str,
        grade: Grade,
        turn: int,
        now: datetime,
    ) -> tuple[Act, bool] | None:
        """As `Act.objects.grade`; None for what was not asked, and while the timed
        pass lasts."""
        if self.ended_at is None or rung_id not in was_asked(step, card, self.level):
            return None
        plan, answer = Plan.objects.of(self.user), Answer(card, rung_id, grade, turn)
        return Act.objects.grade(plan, step, answer, now)

    @transaction.atomic
    def say(self, position: int, wrong_id: str, *, said: bool) -> None:
        """Tick a wrong answer that the person gave, or take the tick away."""
        hold(self.user)
        step = self.in_order().filter(position=position).first()
        if step and self.ended_at:
            others = [each for each in step.said.split() if each != wrong_id]
            step.said = " ".join([*others, wrong_id] if said else others)
            step.save(update_fields=["said"])

    def _held(self, position: int) -> SessionStep | None:
        """The step, when it was asked and the timed pass lasts. Nobody else writes
        until this transaction is over."""
        hold(self.user)
        self.refresh_from_db()
        steps = self.in_order().filter(position=position, asked_at__isnull=False)
        return None if self.ended_at else steps.first()

    def _keep(
        self,
        step: SessionStep,
        rung_id: str,
        text: str,
        card: Card | None,
        now: datetime,
    ) -> bool:
        """Whether this is where the person is now. From elsewhere a text is kept only
        where there is none yet: an old tab shall neither lose nor replace anything.
        Of what was not asked none is kept."""
        is_here = step.done_at is None and rung_of(step.stage) == rung_id
        asked = was_asked(step, card, self.level) if card else [rung_of(step.stage)]
        if not is_here and rung_id not in asked:
            return False
        place = Attempt.objects.filter(step=step, rung_id=rung_id)
        if is_here and not as_kept(text):
            place.delete()
        elif is_here or not place.exists():
            Attempt.objects.keep(step, rung_id, text, now)
        return is_here

    def _leave(self, step: SessionStep, now: datetime) -> None:
        step.done_at = now
        step.save(update_fields=["done_at", "skipped_at"])
        following = self.in_order().filter(asked_at=None).first()
        if following is None:
            self._over(now)
            return
        following.asked_at = now
        following.save(update_fields=["asked_at"])

    def _over(self, now: datetime) -> None:
        self.ended_at = now
        self.save(update_fields=["ended_at"])


def next_rung(card: Card | None, level: str, rung_id: str) -> str | None:
    """The id of what is asked after this rung of a card; None after the last one."""
    ids = ["", *(rung.id for rung in asked_rungs(card, level))] if card else []
    if rung_id not in ids:
        return None
    return next(iter(ids[ids.index(rung_id) + 1 :]), None)


def was_asked(step: SessionStep, card: Card, level: str) -> list[str]:
    """Ids from "" for the question to the last rung that was asked."""
    if step.asked_at is None:
        return []
    ids = ["", *(rung.id for rung in asked_rungs(card, level))]
    last = rung_of(step.stage)
    return ids[: ids.index(last) + 1] if last in ids else [""]
