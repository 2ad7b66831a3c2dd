"""What a load that still runs has measured: its repetitions that have ended."""

import json

from django.db.models import Q

from .load_result import LoadResult
from .models import Run
from .partial_load import partial_load_report

TELLING = Q(payload__contains='"level"') | Q(payload__contains='"request"')
"""Most batches hold nothing but ticks: they stay in the database."""


def load_so_far(run: Run) -> LoadResult | None:
    """None before the first repetition has ended."""
    rows = run.batches.filter(TELLING).order_by("seq")
    payloads = rows.values_list("payload", flat=True)
    report = partial_load_report(
        event for payload in payloads for event in json.loads(payload)
    )
    return LoadResult.of(report, run.asked) if report else None
