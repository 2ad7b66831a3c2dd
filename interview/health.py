"""`/healthz`: whether this web process can serve, for whoever watches it."""

import logging
import time
from datetime import datetime

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from interview.lab.models import Worker
from interview.web.content import library

log = logging.getLogger(__name__)
OK = "ok"


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when pages can be served, else 503.

    A lab worker that is away is told, and no failure: pages are served without it.
    `worker_age_s` counts from the last sign of life; null when there is none.
    """
    database, worker_age_s = database_state(timezone.now())
    content, cards = content_state()
    healthy = database == content == OK
    said = {
        "status": OK if healthy else "failing",
        "database": database,
        "content": content,
        "cards": cards,
        "worker_age_s": worker_age_s,
    }
    return JsonResponse(said, status=200 if healthy else 503)


def database_state(now: datetime) -> tuple[str, float | None]:
    began_s = time.monotonic()
    try:
        return OK, worker_age_s(now)
    except DatabaseError as error:
        log.warning("The database did not answer a health check: %s", error)
        return f"no answer after {time.monotonic() - began_s:.1f} s", None


def worker_age_s(now: datetime) -> float | None:
    """Since the youngest sign of life of a lab worker; None when there is none."""
    alive_at = Worker.objects.order_by("-alive_at").values_list("alive_at").first()
    return round((now - alive_at[0]).total_seconds(), 1) if alive_at else None


def content_state() -> tuple[str, int]:
    """Broken files are left out or kept as they were: no card at all is a failure."""
    try:
        cards = len(library().cards)
    except OSError as error:
        log.warning("The content cannot be read: %s", error)
        return "cannot be read", 0
    return (OK if cards else "no cards"), cards
