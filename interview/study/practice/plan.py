"""The page of one's plan: towards which day, for what, how much a day."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from interview.accounts.access import person
from interview.web.content import library
from interview.web.page import page

from ..models import Plan
from .plan_form import PlanForm, initial

KEPT = "Kept. It applies to each question from its next review on."


@require_http_methods(["GET", "HEAD", "POST"])
def plan(request: HttpRequest) -> HttpResponse:
    me, now = person(request), timezone.now()
    mine = Plan.objects.of(me)
    form = PlanForm(
        request.POST if request.method == "POST" else None,
        initial=initial(mine, mine.is_over(now)),
        vocabulary=library().vocabulary,
        today=mine.today(now),
        with_zone=settings.PREFILL_MODE == "local",
    )
    if form.is_valid():
        Plan.objects.settle(me, **form.settings())
        if zone := form.cleaned_data.get("time_zone"):
            me.introduce(me.name, zone)
        messages.success(request, KEPT)
        return HttpResponseRedirect(reverse("study:plan"), status=303)
    context = {
        "form": form,
        "plan": mine,
        "is_over": mine.is_over(now),
        "days_left": mine.days_left(now),
        "has_account": settings.PREFILL_MODE == "shared",
    }
    status = 422 if form.is_bound else 200
    return page(request, "study/practice/plan.html", context, status=status)
