"""A run: one load on the endpoint, from the queue to its report."""

import json
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models import Max

from interview.accounts.models import User
from interview.web.keys import uuid7

from ..errors import ClaimLost, LabError
from ..live import bell
from ..results.figures import figures_of
from ..results.levels import repetitions_of
from ..results.partial import partial_report
from ..results.partial_load import partial_load_report
from ..runs.gathering import NEEDS_ROOM
from ..runs.spec import NOT_KEPT, Spec
from ..runs.turns import Turn
from .runs import RunQuerySet
from .status import Kind, Status

if TYPE_CHECKING:
    from .worker import Worker


def new_slug() -> str:
    return secrets.token_urlsafe(9)


class Run(models.Model):
    """`claim` is the token of the worker that runs it: every write of a worker is
    conditional on it, so a worker that was given up for dead cannot write any more."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=20, unique=True, default=new_slug)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="runs"
    )
    step = models.ForeignKey(
        "lab.Step", null=True, on_delete=models.SET_NULL, related_name="runs"
    )
    """The room's step that it was run for; None outside of rooms."""
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.SINGLE)
    status = models.CharField(max_length=20, choices=Status, default=Status.QUEUED)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    measuring_at = models.DateTimeField(null=True)
    """Since when streams can join; only of runs that gather."""
    ended_at = models.DateTimeField(null=True)
    expected_s = models.FloatField(null=True)
    """How long it would take, as known when it was queued."""
    due_at = models.DateTimeField(null=True)
    """When a running run will have ended, by its own progress."""
    endpoint = models.CharField(max_length=200)
    model = models.CharField(max_length=200)
    simulated = models.BooleanField(default=False)
    hardware = models.CharField(max_length=200, blank=True, default="")
    """LAB_HARDWARE when it was asked for; "" when that was not set, or not kept yet."""
    first_after_start = models.BooleanField(default=False)
    """No run ended here since the worker (and with it a simulator) started."""
    spec = models.JSONField()
    report = models.JSONField(null=True)
    figures = models.JSONField(null=True)
    """The report in a few numbers by load; see `figures.py`."""
    pinned = models.BooleanField(default=False)
    """Its events and texts are kept for good."""
    exported_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True, default="")
    claim_token = models.CharField(max_length=40, blank=True, default="")
    alive_at = models.DateTimeField(null=True)
    stop_asked_at = models.DateTimeField(null=True)
    stopped_by_other = models.BooleanField(default=False)
    """Not its owner, but somebody who may interview, asked it to stop."""
    last_seq = models.PositiveIntegerField(default=0)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["status", "created_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint"],
                condition=models.Q(status=Status.RUNNING),
                name="one_running_run_per_endpoint",
            )
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def asked(self) -> Spec:
        return Spec.from_json(self.spec)

    @property
    def is_over(self) -> bool:
        return self.status in Status.over()

    def events(self) -> Iterator[dict[str, Any]]:
        """All stored events in order."""
        rows = self.batches.order_by("seq")
        for payload in rows.values_list("payload", flat=True):
            yield from json.loads(payload)

    def partial_report(self, error: str) -> dict[str, Any] | None:
        """What its events prove, when no report came; None when that is nothing."""
        if self.asked.is_load:
            return partial_load_report(self.events())
        return partial_report(self.events(), "cancelled", error)

    def figures_of(self, report: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """A report in a few numbers by load; None without a report."""
        return figures_of(report, self.asked) if report else None

    def turn(self, now: datetime) -> Turn | None:
        """Its place in the queue and its wait; None when the run does not wait."""
        if self.status != Status.QUEUED:
            return None
        return next((t for t in Run.objects.line(now) if t.run == self.pk), None)

    def left_s(self, now: datetime) -> float:
        """Until a running run will have ended: a second at least, for it has not."""
        left_s = (self.due_at - now).total_seconds() if self.due_at else 0.0
        return max(1.0, left_s)

    def whole_s(self, now: datetime) -> float:
        """What a running run has used and has left."""
        used_s = (now - self.started_at).total_seconds() if self.started_at else 0.0
        return used_s + self.left_s(now)

    def claim(self, worker: "Worker", now: datetime) -> str | None:
        """Take a queued run: its token, or None when another worker was quicker."""
        token = secrets.token_urlsafe(24)
        ended = Run.objects.filter(endpoint=self.endpoint)
        first = not ended.measured_since(worker.started_at).exists()
        queued = Run.objects.filter(pk=self.pk, status=Status.QUEUED)
        try:
            with transaction.atomic():
                taken = queued.update(
                    status=Status.RUNNING,
                    claim_token=token,
                    started_at=now,
                    alive_at=now,
                    due_at=now + timedelta(seconds=self.expected_s or 0),
                    first_after_start=first,
                )
                bell.ring(self.pk)
                if taken:
                    self._start_after(ended, now)
                    self.tell_room()
        except IntegrityError:
            return None
        return token if taken else None

    def _start_after(self, others: "RunQuerySet", now: datetime) -> None:
        """Whoever waited for the run before to end has a clock of before that end."""
        last = others.aggregate(at=Max("ended_at"))["at"]
        if last is not None and last > now:
            Run.objects.filter(pk=self.pk).update(started_at=last)

    def renew(self, claim: str, now: datetime, left_s: float) -> None:
        """Say that the worker still runs it, and for about how long."""
        due_at = now + timedelta(seconds=left_s)
        if not self._held(claim).update(alive_at=now, due_at=due_at):
            raise self._lost()

    @transaction.atomic
    def open_to_streams(self, claim: str, now: datetime) -> None:
        """It is warm: say so to the room, whose people can add streams from now on."""
        if not self._held(claim).update(measuring_at=now):
            raise self._lost()
        if self.step:
            self.step.room.changed()

    @transaction.atomic
    def append(self, claim: str, payload: str) -> int:
        """Add one batch, the JSON text of an array of events; its seq, from 1."""
        seq = self.last_seq + 1
        if not self._held(claim).update(last_seq=seq):
            raise self._lost()
        self.batches.create(seq=seq, payload=payload)
        bell.ring(self.pk, seq)
        self.last_seq = seq
        return seq

    @transaction.atomic
    def finish(
        self,
        claim: str,
        status: Status,
        now: datetime,
        *,
        report: Mapping[str, Any] | None,
        error: str = "",
        simulated: bool = False,
    ) -> None:
        """End the run as `status`; `error` is a sentence, or "" when all went well."""
        changes: dict[str, Any] = {"status": status, "ended_at": now, "error": error}
        if simulated:
            changes["simulated"] = True
        changes |= {"report": report, "figures": self.figures_of(report)}
        if not self._held(claim).update(claim_token="", **changes):
            raise self._lost()
        bell.ring(self.pk)
        self.refresh_from_db()
        self.tell_room()

    def tell_room(self) -> None:
        """What can be done in its room hangs on what runs there, whatever the step."""
        if self.step:
            self.step.room.changed()

    @transaction.atomic
    def ask_stop(self, now: datetime, by: User | None = None) -> None:
        """Cancel a queued run at once; ask the worker of a running one to stop.

        Without `by` it is the owner who asks.
        """
        asked: dict[str, Any] = {
            "stop_asked_at": now,
            "stopped_by_other": by is not None and by.pk != self.owner_id,
        }
        whom = " by somebody who may interview" if asked["stopped_by_other"] else ""
        mine = Run.objects.filter(pk=self.pk)
        is_ended = mine.filter(status=Status.QUEUED).update(
            status=Status.CANCELLED,
            ended_at=now,
            error=f"Stopped{whom} before it started.",
            **asked,
        )
        mine.filter(status=Status.RUNNING, stop_asked_at=None).update(**asked)
        bell.ring(self.pk)
        self.refresh_from_db()
        if is_ended:
            self.tell_room()

    def stop_asked(self) -> bool:
        """Read afresh: somebody asked this run to stop."""
        rows = Run.objects.filter(pk=self.pk, stop_asked_at__isnull=False)
        other = rows.values_list("stopped_by_other", flat=True).first()
        if other is not None:
            self.stopped_by_other = other
        return other is not None

    def pin(self, *, pinned: bool) -> None:
        """Keep events and texts for good, or let them go when their time is over."""
        Run.objects.filter(pk=self.pk).update(pinned=pinned)

    def exported(self, now: datetime) -> None:
        """Somebody took it away: what a file was made from stays."""
        Run.objects.filter(pk=self.pk, exported_at=None).update(exported_at=now)

    def again(self, person: User, now: datetime) -> Self:
        """A new run with the same spec, without predictions."""
        if self.asked.gathers:
            raise LabError(NEEDS_ROOM)
        if self.asked.is_forgotten:
            raise LabError(NOT_KEPT)
        return Run.objects.queue(person, self.asked, now)  # type: ignore[return-value]  # Self

    @transaction.atomic
    def forget_texts(self) -> None:
        """Drop the events and what was said, in a room also what was typed there;
        every number stays."""
        self.batches.all().delete()
        report = self.report or {}
        requests = [*report.get("requests", ()), *report.get("warmup", ())]
        for repetition in repetitions_of(report):
            requests += [*repetition["requests"], *(repetition["warmup"] or ())]
        for request in requests:
            request |= {"text": None, "reasoning": None, "other_texts": []}
        asked = self.asked
        if self.step_id and asked.source == "text" and not asked.experiment:
            self.spec = self.spec | {"prompt": ""}
        self.save(update_fields=["report", "spec"])

    def _held(self, claim: str) -> "RunQuerySet":
        return Run.objects.filter(pk=self.pk, claim_token=claim, status=Status.RUNNING)

    def _lost(self) -> ClaimLost:
        return ClaimLost(f"Run {self.slug} is no longer this worker's.")
