"""A list of runs for a spreadsheet: one line a run and load, figures as measured."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from interview.web.cells import safe_cell

from ..models import Run
from ..runs.run_row import in_asked_order

ABOUT = (
    *("run", "asked_at", "status", "kind", "simulated", "experiment"),
    *("endpoint", "hardware", "model", "load", "spoiled_by"),
)
METRICS = (
    *("ttft_ms", "tpot_ms", "itl_p50_ms", "itl_p99_ms", "itl_max_ms", "e2e_ms"),
    *("output_tokens_per_s", "neighbour_ttft_ms"),
)


def runs_csv(runs: Iterable[Run]) -> str:
    """Each metric with its value, its lowest and its highest; "" where not known."""
    out = io.StringIO()
    writer = csv.writer(out)
    spans = [f"{metric}{end}" for metric in METRICS for end in ("", "_low", "_high")]
    writer.writerow([*ABOUT, *spans])
    for run in runs:
        writer.writerows([safe_cell(cell) for cell in row] for row in rows(run))
    return out.getvalue()


def rows(run: Run) -> Iterator[list[Any]]:
    about = (
        run.slug,
        run.created_at.isoformat(),
        run.status,
        run.kind,
        "yes" if run.simulated else "no",
        run.spec.get("experiment") or "",
        run.endpoint,
        run.hardware,
        run.model,
    )
    for load, found in (in_asked_order(run) or {"": {"values": {}}}).items():
        values = found["values"]
        spans = [values.get(metric) or (None,) * 3 for metric in METRICS]
        numbers = ["" if v is None else v for span in spans for v in span]
        yield [*about, load, " ".join(found.get("spoiled") or ()), *numbers]
