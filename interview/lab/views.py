"""The lab's pages: fetch what one may see, ask the models, render."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
)
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from interview.web.page import page

from . import content
from .bench_document import bench_document
from .errors import LabError
from .export import log_document, run_document, token_csv
from .forms import RunForm, is_count
from .models import Kind, Run, Status
from .pages import expected, lab_context, page_context
from .visible import person, visible_run

RUNS_PER_PAGE = 50


@require_safe
def lab(request: HttpRequest) -> HttpResponse:
    initial = {"card": request.GET.get("card", ""), "freshness": "fresh"}
    if content.card(person(request), initial["card"]):
        initial["source"] = "card"
    chosen = content.experiment(request.GET.get("experiment", ""))
    if chosen and chosen.written:
        initial |= content.load_of(chosen)
    form = RunForm(initial=initial)
    return page(request, "lab/lab.html", lab_context(person(request), form, chosen))


@require_http_methods(["GET", "HEAD", "POST"])
def runs(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return start(request)
    Run.objects.interrupt_dead(timezone.now())
    found = Run.objects.visible_to(person(request)).listed()
    status = request.GET.get("status", "")
    if status in Status.values:
        found = found.filter(status=status)
    kind = request.GET.get("kind", "")
    if kind in Kind.values:
        found = found.filter(kind=kind)
    runs_page = Paginator(found, RUNS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "runs": runs_page,
        "status": status,
        "statuses": Status.choices,
        "kind": kind,
        "kinds": Kind.choices,
    }
    return page(request, "lab/runs.html", context, part="runs")


@require_safe
def expectation(request: HttpRequest) -> HttpResponse:
    """How long the run of this form will take, in words; "" while it has errors."""
    form = RunForm(request.GET)
    said = ""
    if form.is_valid():
        chosen = content.card(person(request), form.cleaned_data["card"])
        said = expected(form.spec(content.question_of(chosen)))
    return HttpResponse(said, content_type="text/plain; charset=utf-8")


def start(request: HttpRequest) -> HttpResponse:
    form = RunForm(request.POST)
    if form.is_valid():
        chosen = content.card(person(request), form.cleaned_data["card"])
        try:
            run = Run.objects.queue(
                person(request),
                form.spec(content.question_of(chosen)),
                timezone.now(),
                form.predictions(),
            )
        except LabError as refused:
            form.add_error(None, str(refused))
        else:
            return see(run)
    context = lab_context(
        person(request), form, content.experiment(request.POST.get("experiment", ""))
    )
    return page(request, "lab/lab.html", context, part="run-form", status=422)


@require_safe
def run(request: HttpRequest, slug: str) -> HttpResponse:
    Run.objects.interrupt_dead(timezone.now())
    shown = visible_run(request, slug)
    template = "lab/load.html" if shown.asked.is_load else "lab/run.html"
    return page(request, template, page_context(shown), part="result")


@require_POST
def stop(request: HttpRequest, slug: str) -> HttpResponse:
    asked = visible_run(request, slug)
    asked.ask_stop(timezone.now())
    return see(asked)


@require_POST
def again(request: HttpRequest, slug: str) -> HttpResponse:
    before = visible_run(request, slug)
    try:
        return see(before.again(person(request), timezone.now()))
    except LabError as refused:
        messages.error(request, str(refused))
        return see(before)


@require_safe
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    return page(request, "lab/replay.html", page_context(visible_run(request, slug)))


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    document = log_document(visible_run(request, slug))
    return HttpResponse(document, content_type="application/json")


@require_safe
def run_json(request: HttpRequest, slug: str) -> HttpResponse:
    shown = visible_run(request, slug)
    # A load has lists of thousands of gaps, each of which would get its own line.
    layout = {"indent": None if shown.asked.is_load else 2}
    response = JsonResponse(run_document(shown), json_dumps_params=layout)
    return attached(response, f"run-{shown.slug}.json")


@require_safe
def run_csv(request: HttpRequest, slug: str) -> HttpResponse:
    shown = visible_run(request, slug)
    response = HttpResponse(token_csv(shown), content_type="text/csv; charset=utf-8")
    mark = "-simulated" if shown.simulated else ""
    return attached(response, f"run-{shown.slug}{mark}.csv")


@require_safe
def run_bench(request: HttpRequest, slug: str) -> HttpResponse:
    """One repetition as `vllm bench serve --save-result` writes it.

    `?level=` is its users, `?repetition=` counts from 0; the first of each without.
    """
    shown = visible_run(request, slug)
    level, repetition = (count(request, name) for name in ("level", "repetition"))
    document = bench_document(shown, level, repetition or 0)
    if document is None:
        raise Http404
    response = JsonResponse(document)
    name = f"run-{shown.slug}-{document['max_concurrency']}-users.bench.json"
    return attached(response, name)


@require_safe
def experiment(request: HttpRequest, experiment_id: str) -> HttpResponse:
    shown = content.experiment(experiment_id)
    if shown is None or not shown.written:
        raise Http404
    mine = Run.objects.visible_to(person(request)).of_experiment(shown.id)
    context = {
        "experiment": shown,
        "cards": content.cards_of(person(request), shown),
        "runs": mine.listed()[:RUNS_PER_PAGE],
    }
    return page(request, "lab/experiment.html", context)


def see(shown: Run) -> HttpResponse:
    where = reverse("lab:run", args=[shown.slug])
    return HttpResponseRedirect(where, status=303)


def count(request: HttpRequest, name: str) -> int | None:
    """A number of the address; None without one, and for nonsense."""
    text = request.GET.get(name, "")
    return int(text) if is_count(text) else None


def attached(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
