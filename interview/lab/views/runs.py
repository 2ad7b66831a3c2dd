"""The runs: their list, and the page and the replay of each."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.web.page import page

from ..models import Kind, Run
from ..pages import page_context
from ..runs.listing import Filters, choices, filtered
from ..runs.visible import person, visible_run
from .start import start

RUNS_PER_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def runs(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return start(request)
    Run.objects.interrupt_dead(timezone.now())
    found = filtered(person(request), request.GET)
    context = choices(person(request)) | {
        "runs": Paginator(found, RUNS_PER_PAGE).get_page(request.GET.get("page")),
        "filters": Filters.of(request.GET),
        "ticked": request.GET.getlist("run"),
    }
    return page(request, "lab/runs.html", context, part="runs")


@require_safe
def run(request: HttpRequest, slug: str) -> HttpResponse:
    Run.objects.interrupt_dead(timezone.now())
    shown = visible_run(request, slug)
    imported = shown.kind == Kind.IMPORTED
    template = "lab/imported.html" if imported else "lab/run.html"
    return page(request, template, page_context(shown), part="result")


@require_safe
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    shown = visible_run(request, slug)
    if shown.kind == Kind.IMPORTED:
        raise Http404
    return page(request, "lab/replay.html", page_context(shown))
