"""Who follows a measurement; knows what there is to be told, not to whom."""

from typing import Any, Protocol

from interview.measure.endpoint import Endpoint
from interview.measure.gathering_windows import Window
from interview.measure.load import LevelWatcher
from interview.measure.neighbourhood import NeighbourWatcher
from interview.measure.result import Result
from interview.measure.target import Target
from interview.measure.workload import Repetition


class Watch(LevelWatcher, NeighbourWatcher, Protocol):
    """Told how the measurement goes; must return at once."""

    def hello(self, endpoint: Endpoint, target: Target) -> None:
        """First contact was made."""

    def stage(self, name: str) -> None:
        """preparing, warming-up or measuring."""

    def warmed_up(self, repetition: Repetition, index: int, result: Result) -> None:
        """A warm-up request is over."""

    def level_started(self, repetition: Repetition, expected_s: float | None) -> None:
        """The first measured request of a repetition is about to be sent."""

    def gauges(self, gauges: dict[str, float | None]) -> None:
        """The engine's load: just before, during and just after a repetition."""

    def level_ended(
        self,
        repetition: Repetition,
        summary: dict[str, Any],
        window: Window | None = None,
    ) -> None:
        """All measured requests of the repetition are over; of a gathering, its window
        is, which cuts none of them short."""
