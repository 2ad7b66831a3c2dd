"""What a load that still runs has measured: its repetitions that have ended."""

import json
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from ..models import Run
from .figures import figures_of
from .load_result import LoadResult
from .partial_load import partial_load_report

TELLING = Q(payload__contains='"level"') | Q(payload__contains='"request"')
"""Most batches hold nothing but ticks: they stay in the database."""


@dataclass(frozen=True, slots=True)
class SoFar:
    load: LoadResult | None
    figures: dict[str, Any]


def load_so_far(run: Run) -> SoFar:
    """Nothing before the first repetition has ended."""
    rows = run.batches.filter(TELLING).order_by("seq")
    payloads = rows.values_list("payload", flat=True)
    report = partial_load_report(
        event for payload in payloads for event in json.loads(payload)
    )
    if report is None:
        return SoFar(None, {})
    return SoFar(LoadResult.of(report, run.asked), figures_of(report, run.asked))
