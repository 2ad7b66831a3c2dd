"""How a measurement goes, in words for a person at a terminal."""

from typing import Any, TextIO

from interview.measure.endpoint import Endpoint
from interview.measure.result import Result
from interview.measure.turn import Unwatched, Watcher
from interview.measure.workload import Load


class Silence:
    """Follows a measurement and says nothing."""

    def hello(self, endpoint: Endpoint) -> None:
        pass

    def stage(self, name: str) -> None:
        pass

    def warmed_up(self, index: int, result: Result) -> None:
        pass

    def level_started(self) -> None:
        pass

    def gauges(self, gauges: dict[str, float | None]) -> None:
        pass

    def level_ended(self, summary: dict[str, Any]) -> None:
        pass

    def stream(self, index: int) -> Watcher:
        return Unwatched()

    def finished(self, index: int, result: Result) -> None:
        pass


class Progress(Silence):
    """One line per stage and per finished request."""

    def __init__(self, out: TextIO, load: Load) -> None:
        self._out = out
        self._load = load
        self._finished = 0

    def hello(self, endpoint: Endpoint) -> None:
        self._say(f"engine: {endpoint.engine or 'not told'}")

    def stage(self, name: str) -> None:
        self._say(name)

    def finished(self, index: int, result: Result) -> None:
        self._finished += 1
        said = result.error or f"{result.tokens} tokens"
        self._say(f"{self._finished}/{self._load.requests} {result.status}: {said}")

    def _say(self, line: str) -> None:
        print(line, file=self._out, flush=True)
