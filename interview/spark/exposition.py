"""Counters, gauges and histograms in Prometheus' text format; knows no vLLM."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

CONTENT_TYPE = b"text/plain; version=1.0.0; charset=utf-8"

Labels = Mapping[str, str]


def sample(name: str, labels: Labels, value: float) -> str:
    inside = ",".join(
        f'{key}="{_escape(text)}"' for key, text in sorted(labels.items())
    )
    return f"{name}{{{inside}}} {float(value)}"


def family(kind: str, name: str, text: str, samples: Iterable[str]) -> Iterator[str]:
    """Help, type and samples of one metric; a counter's `name` ends in _total."""
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"
    yield from samples


class Histogram:
    """Counts of values at or below each upper bound, with their sum."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = (*bounds, float("inf"))
        self.counts = [0] * len(self.bounds)
        self.total = 0.0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def samples(self, name: str, labels: Labels) -> Iterator[str]:
        seen = 0
        for bound, count in zip(self.bounds, self.counts, strict=True):
            seen += count
            le = "+Inf" if bound == float("inf") else str(float(bound))
            yield sample(f"{name}_bucket", {**labels, "le": le}, seen)
        yield sample(f"{name}_count", labels, seen)
        yield sample(f"{name}_sum", labels, self.total)


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
