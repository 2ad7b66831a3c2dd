"""How a run stands, for programs: before it starts, while it runs, when it is over."""

from datetime import datetime
from typing import Any

from django.urls import reverse

from ..models import Run, Status, Worker
from .snapshot import state_of


def standing(run: Run, now: datetime) -> dict[str, Any]:
    """`wait_s` until it starts and `left_s` until it ends are estimates.

    None is what does not apply, or what nobody knows while no worker is alive.
    """
    state = state_of(run, run.turn(now), worker=Worker.objects.alive(now).exists())
    is_running = run.status == Status.RUNNING
    return {
        "status": state.status,
        "place": state.place,
        "wait_s": state.wait_s,
        "expected_s": rounded(run.expected_s),
        "left_s": rounded(run.left_s(now)) if is_running else None,
    }


def links(run: Run) -> dict[str, str]:
    names = {"page": "run", "json": "run_json", "events": "events", "csv": "run_csv"}
    names |= {"stop": "stop", "again": "again"}
    return {key: reverse(f"lab:{name}", args=[run.slug]) for key, name in names.items()}


def rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
