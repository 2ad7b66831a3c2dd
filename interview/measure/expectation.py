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

    A round of C users takes between as long as one of fewer, W, while the machine has
    room, and C / W times as long once it is full. The middle of both is √(C / W): a
    mixture of experts went from 4 to 64 users in 3.6 times the time.
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
    slower = math.sqrt(load.users / min(load.users, len(warmups)))
    rounds = math.ceil(load.requests / load.users)
    return round(one_round_s * slower * rounds, 3)


def _span_s(results: Sequence[Result]) -> float | None:
    sent = [r.sent_ns for r in results if r.sent_ns is not None]
    ended = [r.ended_ns for r in results if r.sent_ns is not None]
    return round((max(ended) - min(sent)) / 1e9, 3) if sent else None
