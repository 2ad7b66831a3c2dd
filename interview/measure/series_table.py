"""A report of several levels as text for a terminal: one line per level."""

from typing import Any

from interview.measure.notes import NOTES

Json = dict[str, Any]

_COLUMNS = (
    ("TTFT ms", "ttft_ms"),
    ("TPOT ms", "tpot_ms"),
    ("ITL ms", "itl_ms"),
    ("E2E ms", "e2e_ms"),
)
_LEGEND = (
    "p50 and p99 over all requests of a level; in brackets the lowest and the highest"
    " p50 of its repetitions.",
    "TTFT: first token event - t0. TPOT: (E2E - TTFT) / (N - 1), per request. ITL: gap"
    " between token events, all requests pooled. E2E: last token event - t0.",
    "output tok/s: sum of N / (first t0 to last token), median of the repetitions."
    " steady: while all users are busy. peak: in one-second bins.",
)


def series_table(report: Json) -> str:
    """Several lines, without a line end after the last."""
    target, levels = report["target"], report["levels"]
    lines = [
        f"{target['model']} at {target['url']}"
        f" ({target['engine'] or 'engine not told'})",
    ]
    if levels:
        rows = [_HEAD, *(_row(level) for level in levels)]
        lines += [
            "each user waits for its answer, then asks again",
            "",
            *_aligned(rows),
        ]
        lines += ["", *_LEGEND, *_goodput_words(levels[0]["summary"]["goodput"])]
    lines += _errors(levels)
    lines += [f"note: {NOTES[code]}" for code in report["notes"]]
    for level in levels:
        notes = [NOTES[code] for code in level["summary"]["notes"]]
        lines += [f"note, {level['users']} users: {note}" for note in notes]
    return "\n".join(lines)


_HEAD = (
    "users",
    "reached",
    "done",
    "not",
    *(cell for name, _ in _COLUMNS for cell in (f"{name} p50", "[low-high]", "p99")),
    "output tok/s",
    "[low-high]",
    "steady",
    "peak",
    "tok/event",
    "good/s",
)


def _row(level: Json) -> tuple[str, ...]:
    summary = level["summary"]
    not_done = sum(summary[name] for name in ("failed", "incomplete", "cancelled"))
    goodput = summary["goodput"]
    return (
        str(level["users"]),
        str(level["load"]["reached_users"]),
        str(summary["completed"]),
        str(not_done),
        *(cell for _, key in _COLUMNS for cell in _latency(summary, key)),
        _number(summary["output_tokens_per_s"]),
        _band(summary["bands"]["output_tokens_per_s"]),
        _number(summary["steady_tokens_per_s"]),
        _number(summary["peak_tokens_per_s"]),
        _number(summary["tokens_per_event"], 2),
        _number(goodput["requests_per_s"], 2) if goodput else "-",
    )


def _latency(summary: Json, key: str) -> tuple[str, str, str]:
    numbers = summary[key]
    return (
        _number(numbers["p50"]),
        _band(summary["bands"][key]),
        _number(numbers["p99"]),
    )


def _band(band: Json) -> str:
    if band["low"] is None:
        return "-"
    return f"[{band['low']:,.1f}-{band['high']:,.1f}]"


def _number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


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
    requests = [
        r for level in levels for one in level["repetitions"] for r in one["requests"]
    ]
    return [
        f"error: {text}"
        for text in dict.fromkeys(r["error"] for r in requests if r["error"])
    ]
