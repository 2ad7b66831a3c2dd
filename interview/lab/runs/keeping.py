"""How long a run's events and texts are kept; its numbers always are."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from ..models import Run


@dataclass(frozen=True, slots=True)
class Keeping:
    has_events: bool
    pinned: bool
    exported: bool
    until: datetime | None
    """None while the run is not over and when they are kept for good."""


def keeping(run: Run) -> Keeping:
    for_good = run.pinned or run.exported_at is not None
    ends = None if for_good else run.ended_at
    return Keeping(
        has_events=run.batches.exists(),
        pinned=run.pinned,
        exported=run.exported_at is not None,
        until=ends + timedelta(days=settings.LAB_KEEP_DAYS) if ends else None,
    )
