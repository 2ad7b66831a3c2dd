"""A run as files: JSON as measured plus a `run` block, and CSV of its token events."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from interview.web.cells import safe_cell

from ..models import Run, RunEvent
from ..runs.spec import Spec
from .load_csv import load_csv

COLUMNS = (
    *("stream", "event", "t_ms", "since_sent_ms", "gap_ms", "tokens"),
    *("channel", "text", "simulated"),
)


def run_block(run: Run) -> dict[str, Any]:
    """What the lab knows of a run besides its report; times in UTC, ISO 8601."""
    times = {
        name: moment.isoformat() if (moment := getattr(run, name)) else None
        for name in ("created_at", "started_at", "ended_at")
    }
    return {
        "slug": run.slug,
        "kind": run.kind,
        "status": run.status,
        "error": run.error or None,
        "endpoint": run.endpoint,
        "hardware": run.hardware or None,
        "model": run.model,
        "engine": ((run.report or {}).get("target") or {}).get("engine"),
        "simulated": run.simulated,
        "first_after_start": run.first_after_start,
        **times,
        "spec": run.spec,
    }


def run_document(run: Run) -> dict[str, Any]:
    """The report (prefill-measure/1) with the `run` block; no report, no numbers."""
    return {"format": "prefill-measure/1", "run": run_block(run)} | (run.report or {})


def log_document(run: Run, asked: Spec | None = None) -> str:
    """JSON text {"run": …, "batches": [[seq, [event, …]], …]}, batches as stored.

    `asked` is the spec as its reader may see it, None as it is.
    """
    block = run_block(run) | ({"spec": asked.to_json()} if asked else {})
    rows = RunEvent.objects.filter(run=run).order_by("seq")
    batches = ",".join(
        f"[{seq},{payload}]" for seq, payload in rows.values_list("seq", "payload")
    )
    return f'{{"run":{json.dumps(block)},"batches":[{batches}]}}'


def token_csv(run: Run) -> str:
    """One line per token event; `t_ms` counts from the start of the measurement.

    `since_sent_ms` of a stream's first event with tokens is its TTFT. Numbers have a
    point and no thousands mark whatever the reader's language.
    """
    if run.asked.is_load:
        return load_csv(run.events(), simulated=run.simulated)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    simulated = "yes" if run.simulated else "no"
    for row in token_rows(run.events()):
        writer.writerow([safe_cell(cell) for cell in (*row, simulated)])
    return out.getvalue()


def token_rows(events: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """All columns but `simulated`; "" for what is not known."""
    sent_us: dict[int, int] = {}
    last_us: dict[int, int] = {}
    count: dict[int, int] = {}
    for event in events:
        stream, t_us = event.get("stream", 0), event.get("t_us", 0)
        if event["k"] == "phase" and event["phase"] == "sent":
            sent_us[stream] = t_us
        if event["k"] != "tokens":
            continue
        count[stream] = count.get(stream, 0) + 1
        times = (ms_between(sent_us, stream, t_us), ms_between(last_us, stream, t_us))
        last_us[stream] = t_us
        channel, text = event.get("channel") or "", event.get("text") or ""
        yield (
            *(stream, count[stream], t_us / 1000, *times),
            *(event.get("n"), channel, text),
        )


def ms_between(starts_us: Mapping[int, int], stream: int, t_us: int) -> float | str:
    return (t_us - starts_us[stream]) / 1000 if stream in starts_us else ""
