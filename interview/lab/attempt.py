"""One claimed run from its first line to its end: batches, stop, caps, outcome."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .child import Child
from .models import Run
from .outcome import Ending, load_outcome, outcome
from .storable import storable

log = logging.getLogger(__name__)

FLUSH_S = 0.05
FLUSH_BYTES = 32_000
RENEW_S = 1.0
LOOK_FOR_STOP_S = 0.2
GRACE_S = 5.0
"""For the report after a stop; then the child is killed."""
GRACE_AT_END_S = 1.0
"""The same when the worker itself must be gone soon."""


@dataclass(slots=True)
class Beat:
    """True once per `period_s`, from the first time on."""

    period_s: float
    due_at: float = 0.0

    def is_due(self, now_s: float) -> bool:
        if now_s < self.due_at:
            return False
        self.due_at = now_s + self.period_s
        return True


class Attempt:
    """Raises ClaimLost when the run was given up for dead meanwhile."""

    def __init__(
        self,
        run: Run,
        claim: str,
        child: Child,
        *,
        key: str,
        limit_s: float,
        clock: Callable[[], float],
        now: Callable[[], datetime],
        leaving: Callable[[], bool],
        renewed: Callable[[datetime], None],
    ) -> None:
        self._run, self._claim, self._child = run, claim, child
        self._key = key.encode()
        self._clock, self._now = clock, now
        self._leaving, self._renewed = leaving, renewed
        self._started_s = clock()
        self._limit_s = limit_s
        self._renew, self._look = Beat(RENEW_S), Beat(LOOK_FOR_STOP_S)
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._flush_at = self._started_s
        self._ending = Ending.ITSELF
        self._kill_at = float("inf")
        self._report: dict[str, Any] | None = None
        self._fault = ""
        self._simulated = False
        self._is_load = run.asked.is_load

    def carry_out(self) -> None:
        """Follow the child to its end and finish the run."""
        while not self._child.is_silent and not self._has_told_all:
            now_s = self._clock()
            wait_s = max(0.0, self._flush_at - now_s) if self._waiting else FLUSH_S
            for line in self._child.lines(wait_s):
                self._take(line)
                if self._waiting_bytes >= FLUSH_BYTES:
                    self._flush()
            now_s = self._clock()
            if now_s >= self._flush_at:
                self._flush()
            self._watch(now_s)
        self._flush()
        self._finish(self._child.wait())

    @property
    def _has_told_all(self) -> bool:
        """A report or an error is the child's last line."""
        return self._report is not None or bool(self._fault)

    def _take(self, line: bytes) -> None:
        if self._key:
            line = line.replace(self._key, b"***")
        try:
            event = json.loads(line)
            kind = event["k"]
        except (ValueError, KeyError, TypeError):
            log.warning("Run %s: a line that is no event: %.200r", self._run, line)
            return
        if kind == "report":
            self._report = event["report"]
            if self._is_load:
                # Kept once, with the run: it is as long as all other lines together.
                line = json.dumps(event | {"report": None}).encode()
        elif kind == "error":
            self._fault = event["text"]
        elif kind == "hello":
            said = f"{event.get('engine')} {event.get('model')}".lower()
            self._simulated = "simulat" in said
        if not self._waiting:
            self._flush_at = self._clock() + FLUSH_S
        self._waiting.append(line)
        self._waiting_bytes += len(line)

    def _flush(self) -> None:
        if self._waiting:
            payload = b"[" + b",".join(self._waiting) + b"]"
            self._run.append(self._claim, payload.decode())
            self._waiting, self._waiting_bytes = [], 0

    def _watch(self, now_s: float) -> None:
        if self._renew.is_due(now_s):
            self._run.renew(self._claim, self._now())
            self._renewed(self._now())
        if now_s >= self._kill_at:
            self._child.kill()
        elif self._leaving():
            self._end(Ending.WORKER, now_s + GRACE_AT_END_S)
        elif now_s - self._started_s >= self._limit_s:
            self._end(Ending.CAP, now_s + GRACE_S)
        elif self._look.is_due(now_s) and self._run.stop_asked():
            self._end(Ending.STOP, now_s + GRACE_S)

    def _end(self, ending: Ending, kill_at: float) -> None:
        """The first reason stays; a nearer deadline counts."""
        if self._ending is Ending.ITSELF:
            self._ending = ending
            self._child.stop()
        self._kill_at = min(self._kill_at, kill_at)

    def _finish(self, exit_status: int) -> None:
        if self._report is None:
            log.warning(
                "Run %s: the measuring process ended with %s. %s",
                self._run, exit_status, self._child.last_words,
            )  # fmt: skip
        told = (self._ending, self._report, self._fault, exit_status)
        asked = self._run.asked
        ended = load_outcome(*told, asked) if asked.is_load else outcome(*told)
        report = self._report or self._run.partial_report(ended.error)
        self._run.finish(
            self._claim,
            ended.status,
            self._now(),
            report=storable(report),
            error=storable(ended.error),
            simulated=self._simulated,
        )
        log.info("Run %s: %s %s", self._run, ended.status, ended.error)
