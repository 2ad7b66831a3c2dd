"""The lab worker: takes queued runs, one at a time, and measures each in a child."""

import logging
import os
import socket
import threading
import time
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

from ..endpoint import Endpoint
from ..errors import ClaimLost, RoomError
from ..models import Room, Run, Worker
from ..runs.gathering import longest_s
from ..runs.spec import Spec
from .attempt import Attempt, Beat
from .child import Child

log = logging.getLogger(__name__)

IDLE_S = 0.2
BEAT_S = 1.0
AFTER_TROUBLE_S = 1.0
TIDY_S = 3600.0
SILENCE_S = 60
"""A request that hears nothing for so long has failed."""


class LabWorker:
    """`leave` may be called from a thread, `leaving` be set anywhere; `work` then
    returns soon."""

    def __init__(
        self, endpoint: Endpoint, leaving: threading.Event | None = None
    ) -> None:
        now = timezone.now()
        self._endpoint = endpoint
        self._row = Worker(
            name=f"{socket.gethostname()} {os.getpid()}", started_at=now, alive_at=now
        )
        self._beat = Beat(BEAT_S)
        self._tidy = Beat(TIDY_S)
        self._leaving = leaving or threading.Event()

    def leave(self) -> None:
        self._leaving.set()

    def work(self) -> None:
        """Until `leave`. A database that is away for a while is waited for."""
        Run.objects.drop_foreign(self._endpoint, timezone.now())
        while not self._leaving.is_set():
            try:
                if not self._take_one():
                    self._leaving.wait(IDLE_S)
            except DatabaseError as error:
                log.warning("The database did not answer, trying again: %s", error)
                connections.close_all()
                self._leaving.wait(AFTER_TROUBLE_S)
        self._row.leave()

    def _take_one(self) -> bool:
        """Measure the next run of the queue; False when there was none for us."""
        now = timezone.now()
        if self._beat.is_due(time.monotonic()):
            self._row.beat(now)
            Run.objects.interrupt_dead(now)
        if self._tidy.is_due(time.monotonic()):
            tidy(now)
            # It may take its time, and a run starts after it.
            now = timezone.now()
        run = self._next(now)
        claim = run.claim(self._row, now) if run else None
        if run is None or claim is None:
            return False
        self._measure(run, claim)
        return True

    def _next(self, now: datetime) -> Run | None:
        """The run whose turn it is."""
        turn = next(iter(Run.objects.line(now)), None)
        if turn is None or turn.wait_s > 0:
            return None
        return Run.objects.queued().filter(pk=turn.run).first()

    def _measure(self, run: Run, claim: str) -> None:
        child = Child(order(run.asked, self._endpoint))
        attempt = Attempt(
            run,
            claim,
            child,
            key=settings.LAB_API_KEY,
            limit_s=settings.LAB_MAX_RUN_SECONDS,
            clock=time.monotonic,
            now=timezone.now,
            leaving=self._leaving.is_set,
            renewed=self._renewed,
        )
        try:
            attempt.carry_out()
        except ClaimLost as lost:
            log.warning("%s", lost)
        finally:
            child.kill()
            child.wait()

    def _renewed(self, now: datetime) -> None:
        self._row.beat(now)


def tidy(now: datetime) -> None:
    """Forget what is older than this installation keeps, and workers long gone.

    Rooms in which nobody is any more end.
    """
    Worker.objects.forget_dead(now)
    kept = now - timedelta(days=settings.LAB_KEEP_DAYS)
    for run in Run.objects.with_texts_before(kept):
        run.forget_texts()
    for room in Room.objects.deserted(now):
        # Its host or another worker may be quicker.
        with suppress(RoomError):
            room.end(now)
    for room in Room.objects.with_names_before(kept):
        room.remove_names(now)


def order(asked: Spec, endpoint: Endpoint) -> dict[str, Any]:
    """What `interview.measure --spec` is told, with the key."""
    prompt = (
        {"prompt": asked.prompt}
        if asked.prompt_tokens is None
        else {"prompt_tokens": asked.prompt_tokens}
    )
    return (
        prompt
        | levels(asked)
        | {
            "url": endpoint.url,
            "model": endpoint.model,
            "api_key": settings.LAB_API_KEY or None,
            "extra_body": asked.extra_body,
            "max_tokens": asked.max_tokens,
            "fresh_prompt": asked.fresh_prompt,
            "timeout": SILENCE_S,
            "max_seconds": most_seconds(asked),
        }
    )


def levels(asked: Spec) -> dict[str, Any]:
    """The levels of a load, each with its warm-up; or the one request."""
    if not asked.is_load:
        # A person watches it: it is the first thing the engine sees.
        return {"users": 1, "requests": 1, "warmup": 0}
    if asked.gathers:
        return {"gathers": True, "max_users": asked.most_users}
    repeated = {"repeat": asked.repeat, "limits": asked.limits}
    if asked.loads is not None:
        return repeated | {"loads": asked.loads}
    return repeated | {"levels": asked.levels, "requests": asked.requests}


def most_seconds(asked: Spec) -> float:
    """Of one repetition, or of a whole gathering."""
    cap_s: int = settings.LAB_MAX_SECONDS
    return longest_s(cap_s) if asked.gathers else cap_s
