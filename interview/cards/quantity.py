"""What an experiment asks and compares: metrics of a load, and ranges of a ratio."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

_NUMBER = r"\d+(?:\.\d+)?"
_RANGE = re.compile(rf"(?P<low>{_NUMBER})?\.\.(?P<high>{_NUMBER})?")

LAST = "last"
"""The load of a gathering with the most streams that its people came to."""


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    title: str
    unit: Literal["ms", "tok/s"]
    words: str
    """What it is, as the end of a sentence that starts with its title."""


METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("ttft_ms", "TTFT", "ms", "the median wait for the first token"),
        Metric("tpot_ms", "TPOT", "ms", "the median time per token after the first"),
        Metric("itl_p50_ms", "ITL p50", "ms", "the median gap between token events"),
        Metric("itl_p99_ms", "ITL p99", "ms", "the gap that 1 of 100 exceeds"),
        Metric("itl_max_ms", "Largest gap", "ms", "the longest gap of any answer"),
        Metric("e2e_ms", "E2E", "ms", "the median time from sending to the last token"),
        Metric(
            "output_tokens_per_s",
            "Output",
            "tok/s",
            "the tokens per second of all users",
        ),
        Metric(
            "neighbour_ttft_ms",
            "Neighbours’ TTFT",
            "ms",
            "the median wait of the requests that arrive while another one streams",
        ),
    )
}


class BadQuantity(ValueError):
    """The sentence says what is wrong with the text of a quantity."""


class BadRange(ValueError):
    """The sentence says what is wrong with the text of a range."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One metric of one load; its text is `ttft_ms@long`."""

    metric: str
    """A key of METRICS."""
    load: str
    """A load's name, or LAST; empty outside experiments."""

    def __str__(self) -> str:
        return f"{self.metric}@{self.load}" if self.load else self.metric

    @property
    def about(self) -> Metric:
        return METRICS[self.metric]


def read_quantity(text: str) -> Quantity:
    """The quantity of `metric@load`, or of a metric alone; else BadQuantity."""
    metric, at, load = text.partition("@")
    if metric not in METRICS:
        raise BadQuantity(f"“{metric}” is no metric.")
    if at and not load:
        raise BadQuantity(f"“{text}” names no load behind the @.")
    return Quantity(metric, load)


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`, both included; None is an open end."""

    low: float | None
    high: float | None

    def __str__(self) -> str:
        low, high = ("" if end is None else f"{end:g}" for end in (self.low, self.high))
        return f"{low}..{high}"

    def holds(self, low: float, high: float) -> bool:
        """Whether the whole interval from low to high lies inside."""
        above = self.low is None or low >= self.low
        return above and (self.high is None or high <= self.high)

    def misses(self, low: float, high: float) -> bool:
        """Whether the whole interval from low to high lies outside."""
        below = self.low is not None and high < self.low
        return below or (self.high is not None and low > self.high)

    def contains(self, other: "Range") -> bool:
        """Whether every number of the other range is in this one."""
        low, high = float("-inf"), float("inf")
        return self.holds(
            low if other.low is None else other.low,
            high if other.high is None else other.high,
        )


def read_range(text: str) -> Range:
    """The range of `5..`, `..0.8` or `0.9..1.1`; else BadRange."""
    found = _RANGE.fullmatch(text)
    if found is None:
        raise BadRange("it is not two numbers with .. between them")
    low, high = (float(end) if end else None for end in found.group("low", "high"))
    if low is None and high is None:
        raise BadRange("it holds every number")
    if low is not None and high is not None and low >= high:
        raise BadRange("its low end is not below its high end")
    return Range(low, high)
