"""A run to take away, as JSON, CSV and in the shape of vLLM's benchmark."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from ..files.bench_document import bench_document
from ..files.export import log_document, run_document, token_csv
from ..files.runs_csv import runs_csv
from ..form.forms import is_count
from ..models import Kind, Run
from ..runs.listing import filtered
from ..runs.standing import standing
from ..runs.visible import person, visible_run


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    document = log_document(visible_run(request, slug))
    return HttpResponse(document, content_type="application/json")


@require_safe
def run_json(request: HttpRequest, slug: str) -> HttpResponse:
    shown = visible_run(request, slug)
    # A load has lists of thousands of gaps, each of which would get its own line.
    layout = {"indent": None if shown.asked.is_load else 2}
    document = run_document(shown)
    if not shown.is_over:
        document["run"] |= standing(shown, timezone.now())
    response = JsonResponse(document, json_dumps_params=layout)
    note_export(request, shown)
    return attached(response, f"run-{shown.slug}.json")


@require_safe
def run_csv(request: HttpRequest, slug: str) -> HttpResponse:
    shown = visible_run(request, slug)
    if shown.kind == Kind.IMPORTED:
        raise Http404
    response = HttpResponse(token_csv(shown), content_type="text/csv; charset=utf-8")
    mark = "-simulated" if shown.simulated else ""
    note_export(request, shown)
    return attached(response, f"run-{shown.slug}{mark}.csv")


@require_safe
def run_bench(request: HttpRequest, slug: str) -> HttpResponse:
    """One repetition as `vllm bench serve --save-result` writes it.

    `?level=` is a load's name or its users, `?repetition=` counts from 0; the first of
    each without.
    """
    shown = visible_run(request, slug)
    repetition = count(request, "repetition") or 0
    document = bench_document(shown, request.GET.get("level", ""), repetition)
    if document is None:
        raise Http404
    response = JsonResponse(document)
    load = document["load"] or f"{document['max_concurrency']}-users"
    again = f"-{repetition + 1}" if repetition else ""
    name = f"run-{shown.slug}-{load}{again}.bench.json"
    note_export(request, shown)
    return attached(response, name)


@require_safe
def runs_list_csv(request: HttpRequest) -> HttpResponse:
    """The figures of all runs that the list's filters leave."""
    text = runs_csv(filtered(person(request), request.GET))
    return attached(
        HttpResponse(text, content_type="text/csv; charset=utf-8"), "runs.csv"
    )


def note_export(request: HttpRequest, shown: Run) -> None:
    """What somebody took away keeps the events it was made from."""
    if shown.is_over and request.method == "GET":
        shown.exported(timezone.now())


def count(request: HttpRequest, name: str) -> int | None:
    """A number of the address; None without one, and for nonsense."""
    text = request.GET.get(name, "")
    return int(text) if is_count(text) else None


def attached(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
