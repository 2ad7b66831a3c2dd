"""What one repetition gave; values only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interview.measure.load import Level
from interview.measure.result import Result
from interview.measure.workload import Repetition


@dataclass(frozen=True, slots=True)
class Measured:
    """One repetition with its summary, which is made once."""

    repetition: Repetition
    level: Level
    summary: dict[str, Any]
    warmups: Sequence[Result] = ()
    lags_ns: Sequence[int] = ()
    engine: dict[str, Any] | None = None
    """The engine's own account of the repetition, on its clock."""

    @property
    def is_whole(self) -> bool:
        """Nobody stopped it; a time limit is part of the load."""
        return not self.level.stopped
