"""Who waits for the endpoint, and how long: others' runs only by their time."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from interview.web.page import page

from ..models import Run
from ..queue_page import queue_context
from ..runs.visible import person


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    Run.objects.interrupt_dead(now)
    context = queue_context(person(request), now)
    return page(request, "lab/queue.html", context, part="queue")
