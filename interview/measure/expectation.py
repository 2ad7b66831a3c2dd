"""How long a repetition will take, from what was seen before it; pure arithmetic."""

import math
from collections.abc import Sequence

from interview.measure.measured import Measured
from interview.measure.result import Result
from interview.measure.statistics import mean
from interview.measure.workload import Repetition


def expected_s(
    repetition: Repetition, earlier: Sequence[Measured], warmups: Sequence[Result]
) -> float | None:
    """As long as the same level took before, else by its warm-ups; None without both.

    Fewer warm-ups than users are faster than the level, so that is a lower bound.
    """
    for one in reversed(earlier):
        if one.repetition.level == repetition.level and one.is_whole:
            return _span_s(one.level.results)
    load = repetition.load
    one_round_s = mean(
        [
            (result.ended_ns - result.sent_ns) / 1e9
            for result in warmups
            if result.sent_ns is not None and result.status == "completed"
        ]
    )
    if one_round_s is None:
        return None
    return round(one_round_s * math.ceil(load.requests / load.users), 3)


def _span_s(results: Sequence[Result]) -> float | None:
    sent = [r.sent_ns for r in results if r.sent_ns is not None]
    ended = [r.ended_ns for r in results if r.sent_ns is not None]
    return round((max(ended) - min(sent)) / 1e9, 3) if sent else None
