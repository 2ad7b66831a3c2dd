"""Two runs side by side, and the choice of the second one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from interview.web.page import page

from ..comparing.comparison import Comparison, candidates
from ..runs.visible import person, visible_run

TWO = "Tick two runs to compare them."


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """`?run=A&run=B`; with one run a page to choose the other from."""
    slugs = list(dict.fromkeys(slug for slug in request.GET.getlist("run") if slug))
    if not slugs or len(slugs) > 2:
        ticked = f" {len(slugs)} are ticked." if slugs else ""
        messages.error(request, f"{TWO}{ticked}")
        # With its ticks and filters, so that nothing has to be searched again.
        return redirect(f"{reverse('lab:runs')}?{request.GET.urlencode()}")
    runs = [visible_run(request, slug) for slug in slugs]
    if len(runs) == 2:
        return page(request, "lab/compare.html", {"both": Comparison.of(*runs)})
    found = candidates(person(request), runs[0])
    context = {"run": runs[0], "candidates": found}
    return page(request, "lab/compare_with.html", context)
