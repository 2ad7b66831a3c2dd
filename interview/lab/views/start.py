"""The lab's form and what a person does with a run: start, stop, again."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from interview.web.page import page

from .. import content
from ..errors import LabError
from ..form.asking import ask
from ..form.forms import RunForm
from ..models import Kind, Run
from ..pages import expected, lab_context
from ..runs.visible import person, visible_run
from .start_json import start_json


@require_safe
def lab(request: HttpRequest) -> HttpResponse:
    initial = {"card": request.GET.get("card", ""), "freshness": "fresh"}
    if content.card(person(request), initial["card"]):
        initial["source"] = "card"
    chosen = content.experiment(request.GET.get("experiment", ""))
    if chosen and chosen.gathers:
        # It is started in a room; its page offers to open one.
        return redirect("lab:experiment", chosen.id)
    if chosen and chosen.written:
        initial |= content.load_of(chosen)
    form = RunForm(initial=initial, experiment=chosen)
    return page(request, "lab/lab.html", lab_context(person(request), form, chosen))


@require_safe
def expectation(request: HttpRequest) -> HttpResponse:
    """How long the run of this form will take, in words; "" while it has errors."""
    form = RunForm(request.GET, content.experiment(request.GET.get("experiment", "")))
    said = ""
    if form.is_valid():
        chosen = content.card(person(request), form.cleaned_data.get("card", ""))
        said = expected(form.spec(content.question_of(chosen)))
    return HttpResponse(said, content_type="text/plain; charset=utf-8")


def start(request: HttpRequest) -> HttpResponse:
    if request.content_type == "application/json":
        return start_json(request)
    chosen = content.experiment(request.POST.get("experiment", ""))
    form = RunForm(request.POST, chosen)
    if run := ask(person(request), form):
        return see(run)
    context = lab_context(person(request), form, chosen)
    return page(request, "lab/lab.html", context, part="run-form", status=422)


@require_POST
def stop(request: HttpRequest, slug: str) -> HttpResponse:
    """Who may interview stops others' runs, too, and sees no more of them than that."""
    who = person(request)
    asked = get_object_or_404(Run.objects.stoppable_by(who), slug=slug)
    asked.ask_stop(timezone.now(), who)
    if Run.objects.visible_to(who).filter(pk=asked.pk).exists():
        return see(asked)
    return HttpResponseRedirect(reverse("lab:queue"), status=303)


@require_POST
def again(request: HttpRequest, slug: str) -> HttpResponse:
    before = visible_run(request, slug)
    if before.kind == Kind.IMPORTED:
        raise Http404
    try:
        return see(before.again(person(request), timezone.now()))
    except LabError as refused:
        messages.error(request, str(refused))
        return see(before)


def see(shown: Run) -> HttpResponse:
    where = reverse("lab:run", args=[shown.slug])
    return HttpResponseRedirect(where, status=303)
