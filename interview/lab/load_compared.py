"""What was predicted of a load beside what its most users got."""

from collections.abc import Iterable

from .level_result import LevelResult, p50
from .load_result import LoadResult
from .models import Metric, Prediction
from .result import Compared


def load_compared(
    load: LoadResult, predictions: Iterable[Prediction]
) -> list[Compared]:
    """TTFT and TPOT as medians, output of all users; of the largest level asked for."""
    level = load.level(max(load.asked))
    return [compared(made, level) for made in predictions]


def compared(made: Prediction, level: LevelResult | None) -> Compared:
    measured = value(level, Metric(made.metric)) if level else None
    off = 100 * (made.value - measured) / measured if measured else None
    unit = "ms" if made.metric.endswith("_ms") else "tok/s"
    return Compared(made.get_metric_display(), unit, made.value, measured, off)


def value(level: LevelResult, metric: Metric) -> float | None:
    if metric is Metric.RATE:
        return level.output_tokens_per_s
    return p50(level.ttft if metric is Metric.TTFT else level.tpot)
