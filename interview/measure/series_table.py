"""A report of several levels as text for a terminal: one line per level."""

from collections.abc import Callable
from typing import Any

from interview.measure.counted import counted
from interview.measure.notes import NOTES

Json = dict[str, Any]
Row = tuple[str, ...]

_LATENCIES = {
    "TTFT ms p50": "ttft_ms",
    "TPOT ms p50": "tpot_ms",
    "ITL ms p50": "itl_ms",
    "E2E ms p50": "e2e_ms",
}
_LATENCY_HEAD = tuple(cell for name in _LATENCIES for cell in (name, "p99"))
_WORK_HEAD = (
    *("reached", "done", "not done", "tokens", "output tok/s", "steady"),
    *("peak", "tok/event", "cached", "lag p99", "good/s"),
)
_LEGEND = (
    "p50, p99: over all requests of a level; [lowest-highest] p50 of its repetitions.",
    "TTFT: first token event - t0. TPOT: (E2E - TTFT) / (N - 1), per request.",
    "ITL: gap between token events, pooled. E2E: last token event - t0.",
    "output tok/s: sum of N / (first t0 to last token), median of the repetitions.",
    "steady: while all users are busy. peak: in one-second bins.",
    "tokens: mean of a completed answer. cached: prompt tokens from the prefix cache.",
    "lag: how late the client's own loop was, in ms.",
)


def series_table(report: Json) -> str:
    """Several lines, without a line end after the last."""
    target, levels = report["target"], report["levels"]
    engine = target["engine"] or "engine not told"
    lines = [f"{target['model']} at {target['url']} ({engine})"]
    if levels:
        lines += [
            *_loads(levels),
            "",
            *_table(_LATENCY_HEAD, _latency_row, levels),
            "",
            *_table(_WORK_HEAD, _work_row, levels),
            "",
            *_LEGEND,
            *_goodput_words(levels[0]["summary"]["goodput"]),
        ]
    return "\n".join([*lines, *_errors(levels), *_notes(report)])


def _table(head: Row, row: Callable[[Json], Row], levels: list[Json]) -> list[str]:
    first = "users" if levels[0]["name"] is None else "load"
    rows = [(first, *head), *((_label(level), *row(level)) for level in levels)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        for cells in rows
    ]


def _loads(levels: list[Json]) -> list[str]:
    """What was asked: in one line for all, or in one for each when they have names."""
    load = levels[0]["load"]
    repetitions = counted(load["repeat"], "repetition")
    lines = [f"each user waits for its answer; {repetitions}"]
    if levels[0]["name"] is None:
        return [f"{lines[0]}; max_tokens {load['max_tokens']}"]
    return lines + [f"{level['name']}: {_words(level)}" for level in levels]


def _words(level: Json) -> str:
    load, beside = level["load"], level["load"]["neighbours"]
    prompt = f"{load['prompt_tokens']} prompt tokens" if load["prompt_tokens"] else ""
    fresh = "fresh" if load["fresh_prompt"] else "the same each time"
    words = f"{prompt or 'a prompt'} ({fresh}), max_tokens {load['max_tokens']}"
    if beside is None:
        return words
    ttft_ms = level["summary"]["neighbour_ttft_ms"]
    return (
        f"{words}; neighbours beside each: {beside['requests']} of"
        f" {beside['prompt_tokens']} prompt tokens, TTFT ms p50"
        f" {_number(ttft_ms['p50'])}"
    )


def _label(level: Json) -> str:
    return str(level["users"] if level["name"] is None else level["name"])


def _latency_row(level: Json) -> Row:
    summary = level["summary"]
    cells = []
    for name in _LATENCIES.values():
        p50 = _number(summary[name]["p50"]) + _band(summary["bands"][name])
        cells += [p50, _number(summary[name]["p99"])]
    return tuple(cells)


def _work_row(level: Json) -> Row:
    summary, goodput = level["summary"], level["summary"]["goodput"]
    not_done = sum(summary[name] for name in ("failed", "incomplete", "cancelled"))
    rate = "output_tokens_per_s"
    return (
        str(level["load"]["reached_users"]),
        str(summary["completed"]),
        str(not_done),
        _number(summary["tokens_mean"]),
        _number(summary[rate]) + _band(summary["bands"][rate]),
        _number(summary["steady_tokens_per_s"]),
        _number(summary["peak_tokens_per_s"]),
        _number(summary["tokens_per_event"]),
        _number(summary["cached_tokens"]),
        _number(summary["loop_lag_ms"]["p99"]),
        _number(goodput["requests_per_s"]) if goodput else "-",
    )


def _band(band: Json) -> str:
    if band["n"] < 2:
        return ""
    return f" [{_number(band['low'])}-{_number(band['high'])}]"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _goodput_words(goodput: Json | None) -> list[str]:
    if goodput is None:
        return []
    limits = [
        f"{name.removesuffix('_ms').upper()} <= {goodput[name]:g} ms"
        for name in ("ttft_ms", "tpot_ms", "e2e_ms")
        if goodput[name] is not None
    ]
    return [f"good/s: completed requests with {' and '.join(limits)}, per second."]


def _errors(levels: list[Json]) -> list[str]:
    errors = dict.fromkeys(
        request["error"]
        for level in levels
        for repetition in level["repetitions"]
        for request in repetition["requests"] + repetition["neighbours"]
    )
    return [f"error: {text}" for text in errors if text]


def _notes(report: Json) -> list[str]:
    """Each sentence once, with the levels that it is about."""
    found: dict[str, list[str]] = {code: [] for code in report["notes"]}
    named = any(level["name"] for level in report["levels"])
    unit = "" if named else " users"
    for level in report["levels"]:
        for code in level["summary"]["notes"]:
            found.setdefault(code, []).append(_label(level))
    return [
        f"note ({', '.join(at)}{unit}): {NOTES[code]}" if at else f"note: {NOTES[code]}"
        for code, at in found.items()
    ]
