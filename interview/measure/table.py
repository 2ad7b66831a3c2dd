"""A report as text for a terminal: each number with its formula beside its name."""

from typing import Any

from interview.measure.counted import counted
from interview.measure.notes import NOTES
from interview.measure.series_table import series_table

Json = dict[str, Any]

_ROWS = (
    ("TTFT ms", "ttft_ms", "first token event - t0"),
    ("TPOT ms", "tpot_ms", "(E2E - TTFT) / (N - 1), per request"),
    ("ITL ms", "itl_ms", "gap between token events, all requests pooled"),
    ("E2E ms", "e2e_ms", "last token event - t0"),
)
_RATES = (
    ("output tok/s", "output_tokens_per_s", "sum of N / (first t0 to last token)"),
    ("steady tok/s", "steady_tokens_per_s", "while all users are busy"),
    ("peak tok/s", "peak_tokens_per_s", "in one-second bins"),
    ("tokens/event", "tokens_per_event", ""),
    ("mean tokens", "tokens_mean", "per completed request"),
)


def table(report: Json) -> str:
    """Several lines, without a line end after the last."""
    if "levels" in report:
        return series_table(report)
    target, load, summary = report["target"], report["load"], report["summary"]
    lines = [
        f"{target['model']} at {target['url']}"
        f" ({target['engine'] or 'engine not told'})",
        f"{counted(load['users'], 'user')}, asking again when an answer has ended;"
        f" {load['reached_users']} in flight at once",
        ", ".join(
            f"{summary[status]} {status}"
            for status in ("completed", "failed", "incomplete", "cancelled")
        ),
        f"{'':14}{'p50':>10}{'p90':>10}{'p99':>10}{'mean':>10}{'n':>7}",
    ]
    lines += [_row(name, summary[key], formula) for name, key, formula in _ROWS]
    if summary["neighbour_ttft_ms"] is not None:
        lines.append(
            _row("neighbours", summary["neighbour_ttft_ms"], "TTFT, in no other")
        )
    lines += [
        f"{name:14}{_number(summary[key])}  {formula}".rstrip()
        for name, key, formula in _RATES
    ]
    goodput = summary["goodput"]
    if goodput is not None:
        lines.append(
            f"{'good req/s':14}{_number(goodput['requests_per_s'])}"
            f"  {goodput['requests']} within all limits"
        )
    lines += _errors(report["requests"] + report["neighbours"])
    codes = dict.fromkeys(
        [*summary["notes"], *(n for r in report["requests"] for n in r["notes"])]
    )
    lines += [f"note: {NOTES[code]}" for code in codes]
    return "\n".join(lines)


def _row(name: str, numbers: Json, formula: str) -> str:
    cells = "".join(_number(numbers[key]) for key in ("p50", "p90", "p99", "mean"))
    return f"{name:14}{cells}{numbers['n']:>7}  {formula}"


def _errors(requests: list[Json]) -> list[str]:
    texts = dict.fromkeys(r["error"] for r in requests if r["error"])
    return [f"error: {text}" for text in texts]


def _number(value: float | None) -> str:
    return f"{'-':>10}" if value is None else f"{value:>10,.1f}"
