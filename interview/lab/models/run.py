"""A run: one load on the endpoint, from the queue to its report."""

import json
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import IntegrityError, models, transaction

from interview.accounts.models import User
from interview.web.keys import uuid7

from .. import bell
from ..errors import ClaimLost
from ..levels import repetitions_of
from ..partial import partial_report
from ..partial_load import partial_load_report
from ..spec import Spec
from .runs import Kind, RunQuerySet, Status

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
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.SINGLE)
    status = models.CharField(max_length=20, choices=Status, default=Status.QUEUED)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    endpoint = models.CharField(max_length=200)
    model = models.CharField(max_length=200)
    simulated = models.BooleanField(default=False)
    first_after_start = models.BooleanField(default=False)
    """No run ended here since the worker (and with it a simulator) started."""
    spec = models.JSONField()
    report = models.JSONField(null=True)
    error = models.TextField(blank=True, default="")
    claim_token = models.CharField(max_length=40, blank=True, default="")
    alive_at = models.DateTimeField(null=True)
    stop_asked_at = models.DateTimeField(null=True)
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

    def place(self) -> int | None:
        """Place in the queue, 1 is next; None when the run does not wait."""
        if self.status != Status.QUEUED:
            return None
        ahead = Run.objects.queued().filter(endpoint=self.endpoint, pk__lt=self.pk)
        return ahead.count() + 1

    def claim(self, worker: "Worker", now: datetime) -> str | None:
        """Take a queued run: its token, or None when another worker was quicker."""
        token = secrets.token_urlsafe(24)
        ended = Run.objects.filter(endpoint=self.endpoint)
        first = not ended.filter(ended_at__gte=worker.started_at).exists()
        queued = Run.objects.filter(pk=self.pk, status=Status.QUEUED)
        try:
            with transaction.atomic():
                taken = queued.update(
                    status=Status.RUNNING,
                    claim_token=token,
                    started_at=now,
                    alive_at=now,
                    first_after_start=first,
                )
                bell.ring(self.pk)
        except IntegrityError:
            return None
        return token if taken else None

    def renew(self, claim: str, now: datetime) -> None:
        """Say that the worker still runs it."""
        if not self._held(claim).update(alive_at=now):
            raise self._lost()

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
        if not self._held(claim).update(claim_token="", report=report, **changes):
            raise self._lost()
        bell.ring(self.pk)
        self.refresh_from_db()

    @transaction.atomic
    def ask_stop(self, now: datetime) -> None:
        """Cancel a queued run at once; ask the worker of a running one to stop."""
        mine = Run.objects.filter(pk=self.pk)
        mine.filter(status=Status.QUEUED).update(
            status=Status.CANCELLED,
            ended_at=now,
            stop_asked_at=now,
            error="Stopped before it started.",
        )
        mine.filter(status=Status.RUNNING, stop_asked_at=None).update(stop_asked_at=now)
        bell.ring(self.pk)
        self.refresh_from_db()

    def stop_asked(self) -> bool:
        """Read afresh: somebody asked this run to stop."""
        return Run.objects.filter(pk=self.pk, stop_asked_at__isnull=False).exists()

    def again(self, person: User, now: datetime) -> Self:
        """A new run with the same spec, without predictions."""
        return Run.objects.queue(person, self.asked, now)  # type: ignore[return-value]  # Self

    @transaction.atomic
    def forget_texts(self) -> None:
        """Drop the events and what was said; every number stays."""
        self.batches.all().delete()
        report = self.report or {}
        requests = [*report.get("requests", ()), *report.get("warmup", ())]
        for repetition in repetitions_of(report):
            requests += [*repetition["requests"], *(repetition["warmup"] or ())]
        for request in requests:
            request |= {"text": None, "reasoning": None, "other_texts": []}
        self.save(update_fields=["report"])

    def _held(self, claim: str) -> "RunQuerySet":
        return Run.objects.filter(pk=self.pk, claim_token=claim, status=Status.RUNNING)

    def _lost(self) -> ClaimLost:
        return ClaimLost(f"Run {self.slug} is no longer this worker's.")
