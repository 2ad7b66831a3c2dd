"""How a measurement goes, in words for a person at a terminal."""

from collections.abc import Callable
from typing import Any, TextIO

from interview.measure.counted import counted
from interview.measure.endpoint import Endpoint
from interview.measure.gathering_windows import Window
from interview.measure.result import Result
from interview.measure.target import Target
from interview.measure.turn import Unwatched, Watcher
from interview.measure.workload import Repetition

PERIOD_S = 1.0


class Silence:
    """Follows a measurement and says nothing."""

    def hello(self, endpoint: Endpoint, target: Target) -> None:
        pass

    def stage(self, name: str) -> None:
        pass

    def warmed_up(self, repetition: Repetition, index: int, result: Result) -> None:
        pass

    def level_started(self, repetition: Repetition, expected_s: float | None) -> None:
        pass

    def gauges(self, gauges: dict[str, float | None]) -> None:
        pass

    def level_ended(
        self,
        repetition: Repetition,
        summary: dict[str, Any],
        window: Window | None = None,
    ) -> None:
        pass

    def stream(self, index: int, user: int) -> Watcher:
        return Unwatched()

    def finished(self, index: int, result: Result) -> None:
        pass

    def neighbour(self, stream: int, user: int) -> Watcher:
        return Unwatched()

    def neighbour_ended(self, stream: int, result: Result) -> None:
        pass


class Progress(Silence):
    """One line per stage and repetition, and per finished request of one user.

    With several users one line a second at most: a terminal is slow, and it is the
    measuring loop that waits for it.
    """

    def __init__(self, out: TextIO, now_s: Callable[[], float]) -> None:
        self._out = out
        self._now_s = now_s
        self._said_s = 0.0
        self._users = 1
        self._requests = 0
        self._finished = 0
        self._failed = 0

    def hello(self, endpoint: Endpoint, target: Target) -> None:
        self._say(f"engine: {endpoint.engine or 'not told'}")

    def stage(self, name: str) -> None:
        self._say(name)

    def level_started(self, repetition: Repetition, expected_s: float | None) -> None:
        load = repetition.load
        self._users, self._requests = load.users, load.requests
        self._finished = self._failed = 0
        if repetition.levels * repetition.repetitions > 1:
            about = f", about {expected_s:.0f} s" if (expected_s or 0) >= 1 else ""
            self._say(
                f"{_place(repetition)}: {counted(load.requests, 'request')}{about}"
            )

    def level_ended(
        self,
        repetition: Repetition,
        summary: dict[str, Any],
        window: Window | None = None,
    ) -> None:
        rate = summary["output_tokens_per_s"]
        if repetition.levels * repetition.repetitions > 1 and rate is not None:
            ttft_ms, tpot_ms = summary["ttft_ms"]["p50"], summary["tpot_ms"]["p50"]
            tpot = "-" if tpot_ms is None else f"{tpot_ms:.1f} ms"
            self._say(
                f"{_place(repetition)}: TTFT {ttft_ms:.0f} ms, TPOT {tpot},"
                f" {rate:.0f} tok/s"
            )

    def finished(self, index: int, result: Result) -> None:
        self._finished += 1
        self._failed += result.status != "completed"
        if self._users == 1:
            said = result.error or f"{result.tokens} tokens"
            self._say(f"{self._finished}/{self._requests} {result.status}: {said}")
        elif (
            self._finished == self._requests or self._now_s() - self._said_s >= PERIOD_S
        ):
            failed = f", {self._failed} not completed" if self._failed else ""
            self._say(f"{self._finished}/{self._requests} requests{failed}")

    def _say(self, line: str) -> None:
        self._said_s = self._now_s()
        print(line, file=self._out, flush=True)


def _place(repetition: Repetition) -> str:
    name, users = repetition.load.name, repetition.load.users
    named = f" ({name})" if name else ""
    return (
        f"level {repetition.level + 1} of {repetition.levels}{named},"
        f" {counted(users, 'user')}, repetition {repetition.number + 1} of"
        f" {repetition.repetitions}"
    )
