"""The runs as a set: who may see and stop which, and the ones whose worker died."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.core.validators import slug_re
from django.db import models, transaction

from interview.accounts.models import Role, User

from ..endpoint import Activity, Endpoint, EndpointState
from ..files.imported import Imported
from ..live import bell
from ..measuring.storable import storable
from ..results.figures import figures_of
from ..runs.outcome import of_levels
from .queue import RunQueue
from .status import Kind, Status
from .worker import DEAD_AFTER, Worker

if TYPE_CHECKING:
    from .room import Room
    from .run import Run

DEAD_WORKER = "The lab worker died during this run; what had arrived is kept."
UNREACHED = "Could not connect"


class RunQuerySet(RunQueue):
    def visible_to(self, person: User) -> Self:
        """Own runs; the owner of a local installation sees all."""
        if settings.PREFILL_MODE == "local" and person.role == Role.OWNER:
            return self
        return self.filter(owner=person)

    def named(self, slug: str) -> Self:
        """The one of that slug. PostgreSQL does not even compare with what holds a
        NUL."""
        return self.filter(slug=slug) if slug_re.match(slug) else self.none()

    def of_room(self, room: "Room") -> Self:
        """What was run there, and what its steps show of other runs."""
        shown = room.steps.values("run")
        return self.filter(models.Q(step__room=room) | models.Q(pk__in=shown))

    def stoppable_by(self, person: User) -> Self:
        """Own runs; who may interview keeps the endpoint free for an interview."""
        return self if person.may_interview else self.filter(owner=person)

    def listed(self) -> Self:
        """Without reports, which are long, but with some of what they hold.

        `ttft_ms` and `tpot_ms` are of a single request, `imports` says where imported
        numbers come from; where a report has none they are None.
        """
        return (
            self.defer("report")
            .select_related("step__room")
            .annotate(
                ttft_ms=models.F("report__requests__0__ttft_ms"),
                tpot_ms=models.F("report__requests__0__tpot_ms"),
                imports=models.F("report__imported"),
            )
        )

    def of_experiment(self, experiment_id: str) -> Self:
        return self.filter(spec__experiment=experiment_id)

    def begun_and_over(self) -> Self:
        """Without those that were cancelled while they waited."""
        return self.filter(started_at__isnull=False, ended_at__isnull=False)

    def measured_since(self, moment: datetime) -> Self:
        """Ended at `moment` or later; of one that was given up nobody knows when."""
        ended = self.begun_and_over().filter(ended_at__gte=moment)
        return ended.exclude(status=Status.INTERRUPTED)

    def dead(self, now: datetime) -> Self:
        return self.running().filter(alive_at__lt=now - DEAD_AFTER)

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
        run.figures = run.figures_of(run.report)
        run.save(update_fields=["report", "figures"])
        bell.ring(run.pk)
        run.tell_room()
        return True

    def bring_in(self, owner: User, found: Imported, now: datetime) -> "Run":
        """A run that another tool measured, with its numbers as they are."""
        ended = of_levels(found.report["levels"])
        moment = found.moment or now
        return self.create(
            owner=owner,
            kind=Kind.IMPORTED,
            status=ended.status,
            error=ended.error,
            created_at=now,
            started_at=moment,
            ended_at=moment,
            model=storable(found.model),
            simulated=found.simulated,
            spec=found.spec.to_json(),
            report=storable(found.report),
            figures=storable(figures_of(found.report, found.spec)),
        )

    def with_texts_before(self, moment: datetime) -> Self:
        """Runs that ended before `moment` and have events that may go, or words that
        were typed in a room."""
        from .event import RunEvent  # its table refers to this one

        # No join: a run has thousands of batches, and a report of megabytes with each.
        events = models.Exists(RunEvent.objects.filter(run=models.OuterRef("pk")))
        let_go = self.filter(pinned=False, exported_at=None, ended_at__lt=moment)
        typed = models.Q(step__isnull=False, spec__source="text", spec__experiment=None)
        words = typed & ~models.Q(spec__prompt="")
        return let_go.filter(events | words)

    def endpoint_state(self, now: datetime) -> EndpointState:
        """What the header says, from the database alone."""
        endpoint = Endpoint.current()
        here = self.filter(endpoint=endpoint.name)
        over = here.begun_and_over().order_by("-ended_at")
        last = over.only("error", "simulated").first()
        queued = here.queued().count()
        if not endpoint.url:
            activity = Activity.NOT_SET
        elif not endpoint.is_set:
            activity = Activity.SILENT
        elif not Worker.objects.alive(now).exists():
            activity = Activity.NO_WORKER
        elif here.running().exists():
            activity = Activity.RUNNING
        elif queued:
            activity, queued = Activity.STARTING, queued - 1
        elif last and last.error.startswith(UNREACHED):
            activity = Activity.UNREACHABLE
        else:
            activity = Activity.IDLE
        return EndpointState(
            name=endpoint.name if endpoint.url else "",
            model=endpoint.model,
            simulated=endpoint.simulated or bool(last and last.simulated),
            activity=activity,
            queued=queued,
        )
