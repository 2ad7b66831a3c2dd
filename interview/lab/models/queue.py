"""The queue of the endpoint: the one way in with its caps, and who is next."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models, transaction

from interview.accounts.models import User
from interview.web.numbers import counted

from ..endpoint import Endpoint
from ..errors import LabError, OverCap
from ..form.guess import Guess
from ..live import bell
from ..runs.budget import WINDOW, Budget, Spent
from ..runs.expectation import Expectation, expectation
from ..runs.gathering import at_most
from ..runs.spec import Spec
from ..runs.turns import Turn, Waiting, turns
from .status import Kind, Status

if TYPE_CHECKING:
    from .run import Run
    from .step import Step

PAST_LOADS = 3
"""So many last loads tell the pace of the endpoint."""
NO_HOST = (
    "The account of this room’s host is closed, so nothing runs in that person’s name. "
    "The room can still be read."
)
UNASKED = UUID(int=0)
"""Stands for a run that is no row yet."""


class RunQueue(models.QuerySet["Run"]):
    def queued(self) -> Self:
        """Oldest first, keys sort by time; `line` has the order of their turns."""
        return self.filter(status=Status.QUEUED).order_by("pk")

    def running(self) -> Self:
        return self.filter(status=Status.RUNNING)

    @transaction.atomic
    def queue(
        self,
        owner: User,
        spec: Spec,
        now: datetime,
        guesses: Iterable[Guess] = (),
    ) -> "Run":
        """The one way in: checks every cap, then adds the run with its predictions."""
        from .prediction import Prediction  # its table refers to this one

        endpoint = Endpoint.current()
        if not endpoint.is_set:
            raise LabError(endpoint.missing)
        spec = replace(spec, extra_body=endpoint.extra_body)
        expected_s = self.allowed(spec).seconds
        User.objects.select_for_update().get(pk=owner.pk)
        self._check_person(owner, expected_s, now)
        run = self.create(
            owner=owner,
            created_at=now,
            endpoint=endpoint.name,
            model=endpoint.model,
            simulated=endpoint.simulated,
            hardware=endpoint.hardware,
            kind=kind_of(spec),
            spec=spec.to_json(),
            expected_s=expected_s,
        )
        Prediction.objects.lock(run, owner, guesses, now)
        bell.ring(run.pk)
        return run

    @transaction.atomic
    def queue_for(self, step: "Step", spec: Spec, now: datetime) -> "Run":
        """A room's run, which is its host's, with what its seats predicted.

        Raises LabError also when the room has ended, or a run of the step is under way.
        """
        from .prediction import Prediction  # its table refers to this one

        step.room.hold()
        if not step.room.host.is_active:
            raise LabError(NO_HOST)
        if self.filter(step=step).under_way().exists():
            raise LabError("A run of this step waits or runs already. Stop it first.")
        run = self.queue(step.room.host, spec, now)
        run.step = step
        run.save(update_fields=["step"])
        Prediction.objects.awaiting(step, None).give(run)
        step.room.changed(stage=True)
        return run

    def _check_person(self, owner: User, expected_s: float, now: datetime) -> None:
        if not self.has_room(owner):
            waiting = counted(self.queued().filter(owner=owner).count(), "run")
            raise OverCap(
                f"You have {waiting} waiting; this lab allows "
                f"{settings.LAB_MAX_QUEUED_PER_PERSON} for each person. Wait for one "
                "to end, or stop one.",
                "LAB_MAX_QUEUED_PER_PERSON",
            )
        if settings.LAB_BUDGET_SECONDS:
            there = now.astimezone(ZoneInfo(owner.time_zone))
            self.budget(owner, now).check(expected_s, there)

    def has_room(self, person: User) -> bool:
        """This person may have one more run waiting."""
        waiting = self.queued().filter(owner=person).count()
        return waiting < settings.LAB_MAX_QUEUED_PER_PERSON

    def budget(self, owner: User, now: datetime) -> Budget:
        """What this person measured in the last 24 hours, and has to come."""
        mine = self.filter(owner=owner).exclude(kind=Kind.IMPORTED)
        over = mine.filter(started_at__isnull=False, ended_at__gt=now - WINDOW)
        rows = over.order_by("ended_at").values_list("started_at", "ended_at")
        queued = mine.queued().values_list("expected_s", flat=True)
        running = mine.running().only("started_at", "due_at")
        return Budget(
            cap_s=settings.LAB_BUDGET_SECONDS,
            spent=[
                Spent(ended, (ended - began).total_seconds())
                for began, ended in rows
                if began and ended
            ],
            coming_s=sum(expected or 0.0 for expected in queued)
            + sum(run.whole_s(now) for run in running),
        )

    def under_way(self) -> Self:
        """Those that wait or run; of a room's step there is one at most."""
        return self.filter(status__in=(Status.QUEUED, Status.RUNNING))

    def line(self, now: datetime, asking: User | None = None) -> tuple[Turn, ...]:
        """The turns of all who wait for the endpoint of this installation.

        With somebody `asking`, one of them is that of a run they would add: UNASKED.
        """
        here = self.filter(endpoint=Endpoint.current().name)
        rows = here.queued().values_list("pk", "owner_id", "expected_s")
        waiting = [Waiting(pk, owner, expected or 0) for pk, owner, expected in rows]
        if asking:
            waiting.append(Waiting(UNASKED, asking.pk, 0))
        if not waiting:
            return ()
        ended = (
            here.filter(owner__in={one.person for one in waiting})
            .filter(started_at__isnull=False, ended_at__isnull=False)
            .exclude(kind=Kind.IMPORTED)
            .order_by()
            .values_list("owner_id")
            .annotate(models.Max("ended_at"))
        )
        ended_s = {owner: (at - now).total_seconds() for owner, at in ended}
        free_in_s = 0.0
        if running := here.running().only("owner_id", "due_at").first():
            free_in_s = running.left_s(now)
            ended_s[running.owner_id] = free_in_s
        return turns(waiting, ended_s, free_in_s, settings.LAB_COOLDOWN_SECONDS)

    def turn_of_next(self, person: User, now: datetime) -> Turn:
        """Of a run that this person would add now."""
        return next(t for t in self.line(now, person) if t.run == UNASKED)

    def allowed(self, spec: Spec) -> Expectation:
        """How long it will take. Raises OverCap with a sentence that names the cap."""
        spec.check()
        expected = self.expect(spec)
        if spec.is_load:
            expected.check(settings.LAB_MAX_RUN_SECONDS, settings.LAB_MAX_SECONDS)
        return expected

    def expect(self, spec: Spec) -> Expectation:
        """How long a run with this spec takes, by the last loads on the endpoint."""
        if spec.gathers:
            return at_most(settings.LAB_MAX_SECONDS)
        endpoint = Endpoint.current()
        loads = self.filter(
            endpoint=endpoint.name,
            model=endpoint.model,
            kind=Kind.LOAD,
            status=Status.COMPLETED,
        ).order_by("-ended_at")
        rows = loads.values_list("spec", "started_at", "ended_at")[:PAST_LOADS]
        past = [
            (Spec.from_json(stored), (ended - started).total_seconds())
            for stored, started, ended in rows
            if started and ended
        ]
        return expectation(spec, endpoint.model, past)

    def drop_foreign(self, endpoint: Endpoint, now: datetime) -> None:
        """Cancel queued runs of an endpoint that this installation no longer has, or of
        another model there: they would bear the name of what did not answer."""
        foreign = self.queued().exclude(endpoint=endpoint.name, model=endpoint.model)
        of_rooms = list(foreign.filter(step__isnull=False))
        foreign.update(
            status=Status.CANCELLED,
            ended_at=now,
            error="The lab's endpoint or model was changed while this run waited.",
        )
        for run in of_rooms:
            run.tell_room()


def kind_of(spec: Spec) -> Kind:
    if spec.gathers:
        return Kind.GATHERING
    return Kind.LOAD if spec.is_load else Kind.SINGLE
