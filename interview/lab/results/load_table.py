"""Every number of a load as a table in words: a row a number, a column a level."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from interview.web.numbers import ms, number, percent, rate, tpot, with_unit

from .goodput import limit_words
from .level_result import Band, LevelResult
from .result import Percentiles

NOT_SEPARABLE = "not separable here"

Cell = Callable[[LevelResult], str]


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    cells: tuple[str, ...]
    about: str


@dataclass(frozen=True, slots=True)
class Part:
    title: str
    rows: tuple[Row, ...]


def load_table(levels: Sequence[LevelResult]) -> tuple[Part, ...]:
    """All parts; goodput only where limits were set."""
    joined = any(level.is_joined for level in levels)
    parts = [
        ("Streams", streams()) if joined else ("Requests", requests()),
        ("Wait for the first token: TTFT", latency("ttft", 0)),
        ("Time per output token: TPOT", latency("tpot", 1)),
        ("Gaps between token events: ITL", latency("itl", 1)),
        ("To the last token: E2E", latency("e2e", 0)),
        ("Output of all users together", output(joined)),
        ("The engine’s own account", engine()),
        ("The hardware’s limit", limits()),
    ]
    if any(level.neighbours for level in levels):
        parts.insert(2, ("Neighbours’ wait for their first token", neighbours()))
    if any(level.goodput for level in levels):
        parts.insert(-2, (goodput_title(levels), goodput()))
    return tuple(
        Part(
            title,
            tuple(Row(n, tuple(cell(lv) for lv in levels), a) for n, cell, a in rows),
        )
        for title, rows in parts
    )


Rows = list[tuple[str, Cell, str]]


def requests() -> Rows:
    return [
        ("Most in flight at once", lambda lv: number(lv.reached_users), ""),
        ("Repetitions", lambda lv: number(lv.repetitions), ""),
        ("Completed", lambda lv: number(lv.completed), "only these are in a latency"),
        ("Failed", lambda lv: number(lv.failed), ""),
        ("Incomplete", lambda lv: number(lv.incomplete), ""),
        ("Cancelled", lambda lv: number(lv.cancelled), ""),
    ]


def streams() -> Rows:
    """Of a gathering."""

    def stood_s(level: LevelResult) -> str:
        stood_ms = level.stood_ms
        return with_unit(None if stood_ms is None else stood_ms / 1000, 1, "s")

    return [
        ("Stood", stood_s, "so many and no more"),
        ("Wait of the one that joined", lambda lv: ms(lv.joined_ttft_ms), "its TTFT"),
        ("Answers that ended in it", lambda lv: number(lv.completed), ""),
        ("Failed in it", lambda lv: number(lv.failed), ""),
        ("Incomplete in it", lambda lv: number(lv.incomplete), ""),
    ]


def latency(field: str, decimals: int) -> Rows:
    """Percentiles over all completed requests, and the repetitions' medians."""
    band, write = f"{field}_ms", tpot if decimals else ms

    def of(level: LevelResult) -> Percentiles | None:
        found: Percentiles | None = getattr(level, field)
        return found

    def part(name: str) -> Cell:
        return lambda level: write(getattr(of(level), name, None))

    def p99(level: LevelResult) -> str:
        found = of(level)
        return write(found.p99 if found else None) + ("*" if is_few(found) else "")

    return [
        ("P50", part("p50"), ""),
        ("P90", part("p90"), ""),
        ("P99", p99, "* of fewer than 100 values: one of the largest"),
        ("Largest", part("max"), ""),
        ("Mean", part("mean"), ""),
        (
            "P50 of the repetitions",
            lambda lv: spread(lv.bands.get(band), decimals),
            "lowest to highest",
        ),
    ]


def neighbours() -> Rows:
    def wait(level: LevelResult) -> str:
        return ms(level.neighbour_ttft.p50 if level.neighbour_ttft else None)

    return [
        ("Beside each request", lambda lv: number(lv.neighbours), "in no other number"),
        ("P50", wait, "of those that got their answer"),
    ]


def output(joined: bool) -> Rows:
    return [
        (
            "Tokens per second",
            lambda lv: rate(lv.output_tokens_per_s),
            "arrived" if joined else "completed",
        ),
        (
            "of the repetitions",
            lambda lv: spread(lv.bands.get("output_tokens_per_s"), 1),
            "lowest to highest",
        ),
        (
            "While all users were busy",
            lambda lv: rate(lv.steady_tokens_per_s),
            "without the beginning and the end",
        ),
        ("Best second", lambda lv: rate(lv.peak_tokens_per_s), ""),
        ("Tokens per event", lambda lv: number(lv.tokens_per_event, 2), ""),
        (
            "Prompt tokens from the prefix cache",
            lambda lv: percent(lv.cached_percent),
            "",
        ),
    ]


def goodput_title(levels: Sequence[LevelResult]) -> str:
    """With the limits, which are the same for all levels."""
    limits = next((level.goodput.limits for level in levels if level.goodput), None)
    return f"Goodput: {limit_words(limits)}"


def goodput() -> Rows:
    return [
        (
            "Requests within every limit",
            lambda lv: number(lv.goodput.requests if lv.goodput else None),
            "",
        ),
        (
            "of all",
            lambda lv: percent(lv.goodput.share_percent if lv.goodput else None),
            "that were not cancelled",
        ),
        (
            "Requests per second",
            lambda lv: number(lv.goodput.requests_per_s if lv.goodput else None, 2),
            "within every limit",
        ),
    ]


def engine() -> Rows:
    return [
        ("Queue, mean", lambda lv: split(lv, lv.queue_ms), "its clock"),
        ("Prefill, mean", lambda lv: split(lv, lv.prefill_ms), "its clock"),
        ("Rest of TTFT, mean", lambda lv: split(lv, lv.rest_ms), "network, HTTP, text"),
        ("Preemptions", lambda lv: number(lv.preemptions), ""),
        ("Prefix cache hits", hits, "tokens found of tokens looked up"),
    ]


def limits() -> Rows:
    def limit(level: LevelResult) -> float | None:
        return level.limit.tpot_ms if level.limit else None

    def share(level: LevelResult) -> str:
        return percent(level.limit.share_percent if level.limit else None)

    return [
        ("Limit of TPOT", lambda lv: tpot(limit(lv)), "reading alone, uniform routing"),
        ("Share of peak bandwidth", share, "limit over the measured median TPOT"),
    ]


def split(level: LevelResult, value_ms: float | None) -> str:
    return ms(value_ms) if level.is_separable else NOT_SEPARABLE


def hits(level: LevelResult) -> str:
    if level.prefix_query_tokens is None:
        return number(None)
    return f"{number(level.prefix_hit_tokens)} of {number(level.prefix_query_tokens)}"


def spread(band: Band | None, decimals: int) -> str:
    if band is None:
        return number(None)
    return f"{number(band.low, decimals)} to {number(band.high, decimals)}"


def is_few(found: Percentiles | None) -> bool:
    return bool(found and found.is_few)
