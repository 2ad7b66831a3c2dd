"""The repetitions of one level as one; pure arithmetic.

Latencies are pooled over the requests. Rates are not: each is of one repetition, and
the level has their median, with the lowest and the highest beside it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from interview.measure.level import request_summary
from interview.measure.load import Level
from interview.measure.measured import Measured
from interview.measure.statistics import percentile
from interview.measure.throughput import reached_users

Json = dict[str, Any]

_LATENCIES = ("ttft_ms", "tpot_ms", "itl_ms", "e2e_ms")
_RATES = ("output_tokens_per_s", "steady_tokens_per_s", "peak_tokens_per_s")
_OF_ALL = frozenset({"few-values"})
"""Notes that are about the numbers of all repetitions together."""


def pooled_summary(level: Sequence[Measured]) -> Json:
    """In the format of one repetition's summary, with `bands` and `repetitions`.

    A repetition that was stopped has its completed requests in the latencies and
    nothing in rates and bands, unless it is the only one.
    """
    load = level[0].repetition.load
    counted = _counted(level)
    found = request_summary(
        load,
        Level(
            results=tuple(r for one in level for r in one.level.results),
            stopped=any(one.level.stopped for one in level),
            timed_out=any(one.level.timed_out for one in level),
            neighbours=tuple(n for one in level for n in one.level.neighbours),
        ),
        [lag for one in level for lag in one.lags_ns],
    )
    found |= {rate: _band(_rates(counted, rate))["median"] for rate in _RATES}
    if load.limits is not None:
        found["goodput"] |= {"requests_per_s": _goodput_per_s(counted)}
    found["notes"] = _notes(found["notes"], level)
    found["repetitions"] = sum(one.is_whole for one in level)
    found["bands"] = _bands([one for one in level if one.is_whole])
    return found


def pooled_reached_users(level: Sequence[Measured]) -> int:
    """The fewest that any repetition reached."""
    return min(reached_users(one.level.results) for one in _counted(level))


def _counted(level: Sequence[Measured]) -> Sequence[Measured]:
    return [one for one in level if one.is_whole] or level


def _bands(whole: Sequence[Measured]) -> Json:
    bands = {
        name: _band(one.summary[name]["p50"] for one in whole) for name in _LATENCIES
    }
    beside = [one.summary["neighbour_ttft_ms"] for one in whole]
    return bands | {
        "neighbour_ttft_ms": _band(found["p50"] for found in beside if found),
        "output_tokens_per_s": _band(_rates(whole, "output_tokens_per_s")),
    }


def _rates(level: Sequence[Measured], rate: str) -> Iterable[float | None]:
    return (one.summary[rate] for one in level)


def _goodput_per_s(level: Sequence[Measured]) -> float | None:
    median = _band(one.summary["goodput"]["requests_per_s"] for one in level)["median"]
    return None if median is None else round(median, 6)


def _band(values: Iterable[float | None]) -> Json:
    known = [value for value in values if value is not None]
    median = percentile(known, 50)
    return {
        "low": min(known, default=None),
        "median": None if median is None else round(median, 6),
        "high": max(known, default=None),
        "n": len(known),
    }


def _notes(pooled: Sequence[str], level: Sequence[Measured]) -> list[str]:
    """What holds of the whole, and what holds of any repetition."""
    # The pooled requests never were in flight together.
    codes = dict.fromkeys(code for code in pooled if code != "users-not-reached")
    for one in level:
        codes |= dict.fromkeys(c for c in one.summary["notes"] if c not in _OF_ALL)
    return list(codes)
