"""An experiment: what to predict, what to look for, the runs of it."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from interview.web.page import page

from .. import content
from ..experiments.experiment_page import experiment_context
from ..runs.visible import person


@require_safe
def experiments(request: HttpRequest) -> HttpResponse:
    """The list of all is a part of the lab's page."""
    return HttpResponseRedirect(f"{reverse('lab:lab')}#experiments-title")


@require_safe
def experiment(request: HttpRequest, experiment_id: str) -> HttpResponse:
    shown = content.experiment(experiment_id)
    if shown is None or not shown.written:
        raise Http404
    context = experiment_context(person(request), shown)
    return page(request, "lab/experiment.html", context)
