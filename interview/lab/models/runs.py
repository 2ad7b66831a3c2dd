"""The runs as a set: who sees which, the queue, and the ones whose worker died."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models, transaction

from interview.accounts.models import Role, User

from .. import bell
from ..endpoint import Activity, Endpoint, EndpointState
from ..errors import LabError, OverCap
from ..expectation import Expectation, expectation
from ..spec import Spec
from .worker import DEAD_AFTER, Worker

if TYPE_CHECKING:
    from .run import Run

DEAD_WORKER = "The lab worker died during this run; what had arrived is kept."
PAST_LOADS = 3
"""So many last loads tell the pace of the endpoint."""
UNREACHED = "Could not connect"


class Status(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @classmethod
    def over(cls) -> frozenset["Status"]:
        return frozenset(cls) - {cls.QUEUED, cls.RUNNING}


class Kind(models.TextChoices):
    SINGLE = "single"
    """One request that is watched token by token."""
    LOAD = "load"


class RunQuerySet(models.QuerySet["Run"]):
    def visible_to(self, person: User) -> Self:
        """Own runs; the owner of a local installation sees all."""
        if settings.PREFILL_MODE == "local" and person.role == Role.OWNER:
            return self
        return self.filter(owner=person)

    def listed(self) -> Self:
        """Without reports, which are long, but with `ttft_ms` and `tpot_ms` of them.

        Both are of a single request; a load's are None.
        """
        return self.defer("report").annotate(
            ttft_ms=models.F("report__requests__0__ttft_ms"),
            tpot_ms=models.F("report__requests__0__tpot_ms"),
        )

    def queued(self) -> Self:
        """First come, first served; keys sort by time."""
        return self.filter(status=Status.QUEUED).order_by("pk")

    def running(self) -> Self:
        return self.filter(status=Status.RUNNING)

    def of_experiment(self, experiment_id: str) -> Self:
        return self.filter(spec__experiment=experiment_id)

    def dead(self, now: datetime) -> Self:
        return self.running().filter(alive_at__lt=now - DEAD_AFTER)

    @transaction.atomic
    def queue(
        self,
        owner: User,
        spec: Spec,
        now: datetime,
        predictions: Mapping[str, float] | None = None,
    ) -> "Run":
        """The one way in: checks every cap, then adds the run with its predictions."""
        from .prediction import Prediction  # its table refers to this one

        endpoint = Endpoint.current()
        if not endpoint.is_set:
            raise LabError(endpoint.missing)
        spec = replace(spec, extra_body=endpoint.extra_body)
        self.allowed(spec)
        User.objects.select_for_update().get(pk=owner.pk)
        waiting = self.queued().filter(owner=owner).count()
        if waiting >= settings.LAB_MAX_QUEUED_PER_PERSON:
            raise OverCap(
                f"You have {waiting} runs waiting, as many as this lab allows. "
                "Wait for one to end, or stop one."
            )
        run = self.create(
            owner=owner,
            created_at=now,
            endpoint=endpoint.name,
            model=endpoint.model,
            simulated=endpoint.simulated,
            kind=Kind.LOAD if spec.is_load else Kind.SINGLE,
            spec=spec.to_json(),
        )
        Prediction.objects.lock(run, owner, predictions or {}, now)
        bell.ring(run.pk)
        return run

    def allowed(self, spec: Spec) -> Expectation:
        """How long it will take. Raises OverCap with a sentence that names the cap."""
        spec.check()
        expected = self.expect(spec)
        if spec.is_load:
            expected.check(settings.LAB_MAX_RUN_SECONDS, settings.LAB_MAX_SECONDS)
        return expected

    def expect(self, spec: Spec) -> Expectation:
        """How long a run with this spec takes, by the last loads on the endpoint."""
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

    def interrupt_dead(self, now: datetime) -> int:
        """End each run whose worker gave no sign of life; how many there were.

        Any process may call it at any time: the write is conditional.
        """
        return sum(self._interrupt(run, now) for run in self.dead(now))

    @transaction.atomic
    def _interrupt(self, run: "Run", now: datetime) -> bool:
        dead = self.dead(now).filter(pk=run.pk, claim_token=run.claim_token)
        ended: dict[str, Any] = {"status": Status.INTERRUPTED, "ended_at": now}
        if not dead.update(claim_token="", error=DEAD_WORKER, **ended):
            return False
        run.refresh_from_db()
        run.report = run.partial_report(DEAD_WORKER)
        run.save(update_fields=["report"])
        bell.ring(run.pk)
        return True

    def with_events_before(self, moment: datetime) -> Self:
        """Runs that ended before `moment` and still have their events."""
        return self.filter(ended_at__lt=moment, batches__isnull=False).distinct()

    def drop_foreign(self, endpoint: Endpoint, now: datetime) -> None:
        """Cancel queued runs of an endpoint that this installation no longer has."""
        self.queued().exclude(endpoint=endpoint.name).update(
            status=Status.CANCELLED,
            ended_at=now,
            error="The lab's endpoint was changed while this run waited.",
        )

    def endpoint_state(self, now: datetime) -> EndpointState:
        """What the header says, from the database alone."""
        endpoint = Endpoint.current()
        here = self.filter(endpoint=endpoint.name)
        over = here.filter(ended_at__isnull=False).order_by("-ended_at")
        last = over.only("error", "simulated").first()
        if not endpoint.is_set:
            activity = Activity.NOT_SET
        elif not Worker.objects.alive(now).exists():
            activity = Activity.NO_WORKER
        elif here.running().exists():
            activity = Activity.RUNNING
        elif last and last.error.startswith(UNREACHED):
            activity = Activity.UNREACHABLE
        else:
            activity = Activity.IDLE
        return EndpointState(
            name=endpoint.name if endpoint.is_set else "",
            model=endpoint.model,
            simulated=endpoint.simulated or bool(last and last.simulated),
            activity=activity,
            queued=here.queued().count(),
        )
