"""`/metrics`: this installation in Prometheus's text format.

What one process cannot know comes from the database, which all machines share, and from
the tally of this machine's web processes.
"""

import ipaddress
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from interview.health import worker_age_s
from interview.lab.models import Room, Run, Status, Worker
from interview.tally import FOLDER, Total, total

log = logging.getLogger(__name__)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
HOW = (
    "Ask from this machine itself, or set PREFILL_METRICS_TOKEN and send it as "
    "`Authorization: Bearer …`.\n"
)


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    kind: str
    """gauge or counter."""
    help: str
    values: Mapping[str, float]
    """By labels as they are written, such as `{status="queued"}`; "" for none."""

    def __str__(self) -> str:
        lines = [f"# HELP {self.name} {self.help}", f"# TYPE {self.name} {self.kind}"]
        lines += [f"{self.name}{labels} {n}" for labels, n in self.values.items()]
        return "\n".join(lines) + "\n"


@login_not_required
@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    if not may_read(request):
        return HttpResponse(HOW, status=403, content_type="text/plain; charset=utf-8")
    found = [*of_machine(total(settings.DATA_DIR / FOLDER))]
    try:
        found += of_database(timezone.now())
        answers = 1
    except DatabaseError as error:
        log.warning("The database did not answer a look at the metrics: %s", error)
        answers = 0
    found.append(gauge("database_up", "Whether the database answers.", answers))
    return HttpResponse("".join(map(str, found)), content_type=CONTENT_TYPE)


def may_read(request: HttpRequest) -> bool:
    """By the token; else from loopback, and then not through a proxy."""
    token = settings.PREFILL_METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and constant_time_compare(given, token):
        return True
    if "X-Forwarded-For" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.META["REMOTE_ADDR"]).is_loopback
    except ValueError:
        return False


def of_machine(tally: Total) -> Iterator[Metric]:
    yield gauge("web_processes", "Web processes of this machine.", tally.processes)
    yield gauge("watchers", "Open event streams of this machine.", tally.streams)
    by_class = {f'{{class="{name}"}}': n for name, n in tally.answers.items()}
    yield Metric(
        "prefill_http_responses_total",
        "counter",
        "Answers of this machine since `manage.py up`; 5xx are errors.",
        by_class,
    )


def of_database(now: datetime) -> Iterator[Metric]:
    """All machines together."""
    rows = Run.objects.order_by().values_list("status").annotate(Count("pk"))
    counts = dict.fromkeys(Status.values, 0) | dict(rows)
    by_status = {f'{{status="{name}"}}': n for name, n in counts.items()}
    yield Metric("prefill_runs", "gauge", "Runs that are kept, by status.", by_status)
    yield gauge("queue_length", "Runs that wait.", counts[Status.QUEUED])
    oldest = Run.objects.queued().order_by().aggregate(at=Min("created_at"))["at"]
    waits_s = (now - oldest).total_seconds() if oldest else 0
    yield gauge("queue_oldest_seconds", "How long the oldest has waited.", waits_s)
    alive = Worker.objects.alive(now).count()
    yield gauge("workers", "Lab workers that are alive.", alive)
    if (age_s := worker_age_s(now)) is not None:
        help = "Since a lab worker last gave a sign of life; absent without one."
        yield gauge("worker_age_seconds", help, age_s)
    yield gauge("rooms_open", "Rooms that are open.", Room.objects.open_now().count())


def gauge(name: str, help: str, value: float) -> Metric:
    return Metric(f"prefill_{name}", "gauge", help, {"": value})
