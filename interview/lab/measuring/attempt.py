"""One claimed run from its first line to its end: batches, stop, caps, outcome."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..models import Run
from ..runs.expectation import modelled_s
from ..runs.gathering import GatheringProgress, gathering_outcome
from ..runs.outcome import Ending, Outcome, load_outcome, outcome
from ..runs.progress import Progress
from ..runs.spec import Spec
from .child import Child
from .storable import storable

log = logging.getLogger(__name__)

FLUSH_S = 0.05
FLUSH_BYTES = 32_000
RENEW_S = 1.0
LOOK_FOR_STOP_S = 0.2
LOOK_FOR_PRESSES_S = 0.1
GRACE_S = 5.0
GRACE_PER_TOKEN_S = 100e-6
"""For the report after a stop; then the child is killed. Of 256 users it came 3 to 16 s
after the stop with 234,000 to 333,000 tokens, on two cores more or less busy."""
GRACE_AT_END_S = 1.0
"""The same when the worker itself must be gone soon."""
SHORTEST_KEY = 8
"""What is shorter, such as "x" or "token", opens nothing, and stands in every line."""


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


class Presses:
    """Tells the child of each press in the room, once and in their order."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._told = 0
        self._look = Beat(LOOK_FOR_PRESSES_S)

    def tell(self, now_s: float, child: Child) -> None:
        if not self._look.is_due(now_s):
            return
        for press in self._run.presses.filter(number__gt=self._told):
            child.join(press.number)
            self._told = press.number


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
        self._key = key.encode() if len(key) >= SHORTEST_KEY else b""
        self._clock, self._now = clock, now
        self._leaving, self._renewed = leaving, renewed
        self._started_s = clock()
        self._limit_s = limit_s
        self._renew, self._look = Beat(RENEW_S), Beat(LOOK_FOR_STOP_S)
        self._presses = Presses(run) if run.asked.gathers else None
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._flush_at = self._started_s
        self._ending = Ending.ITSELF
        self._kill_at = float("inf")
        self._report: dict[str, Any] | None = None
        self._fault = ""
        self._simulated = False
        self._is_load = run.asked.is_load
        self._progress = progress_of(run)
        self._grace_s = grace_s(run.asked)

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
        self._progress.take(event)
        if self._presses and (kind, event.get("phase")) == ("phase", "measuring"):
            self._run.open_to_streams(self._claim, self._now())
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
            left_s = self._progress.left_s(now_s - self._started_s)
            self._run.renew(self._claim, self._now(), left_s)
            self._renewed(self._now())
        if now_s >= self._kill_at:
            self._child.kill()
        elif self._leaving():
            self._end(Ending.WORKER, now_s + GRACE_AT_END_S)
        elif now_s - self._started_s >= self._limit_s:
            self._end(Ending.CAP, now_s + self._grace_s)
        elif self._look.is_due(now_s) and self._run.stop_asked():
            other = self._run.stopped_by_other
            ending = Ending.STOP_BY_OTHER if other else Ending.STOP
            self._end(ending, now_s + self._grace_s)
        elif self._presses:
            self._presses.tell(now_s, self._child)

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
        ended = outcome_of(
            self._run.asked, self._ending, self._report, self._fault, exit_status
        )
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


def outcome_of(
    asked: Spec,
    ending: Ending,
    report: Mapping[str, Any] | None,
    fault: str,
    exit_status: int,
) -> Outcome:
    told = (ending, report, fault, exit_status)
    if asked.gathers:
        return gathering_outcome(*told)
    return load_outcome(*told, asked) if asked.is_load else outcome(*told)


def progress_of(run: Run) -> Progress | GatheringProgress:
    asked = run.asked
    if asked.gathers:
        return GatheringProgress(run.expected_s or 0.0, asked.most_users)
    tokens = None if asked.is_load else asked.max_tokens
    return Progress(modelled_s(asked, run.model), run.expected_s or 0.0, tokens)


def grace_s(asked: Spec) -> float:
    """How long the report may take, by the tokens that it can hold at most."""
    tokens = asked.repeat * sum(x.requests * x.max_tokens for x in asked.asked_loads)
    return GRACE_S + GRACE_PER_TOKEN_S * tokens
