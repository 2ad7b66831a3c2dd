"""The bank: every card that interviewers see, and the flag that it leaked."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from interview.accounts.access import person
from interview.cards.card import Card
from interview.web.content import library
from interview.web.page import page
from interview.web.rendering import renderer_of

from ..access import for_interviewers
from ..errors import Changed
from ..models import CardState, Sample
from .card_page import CardPage
from .filters import Filters
from .history import History
from .leak import LeakForm, TakeBackForm
from .listing import QuestionsPage
from .use import PATIENCE, uses


@require_safe
@for_interviewers
def questions(request: HttpRequest) -> HttpResponse:
    content = library()
    filters = Filters.read(request.GET, content)
    shown = QuestionsPage.of(
        filters,
        request.GET.get("page", ""),
        content,
        uses(timezone.localdate()),
        CardState.objects.leaked(),
        timezone.now(),
    )
    context = {"page": shown, "patience": PATIENCE}
    response = page(request, "bank/questions.html", context, part="found")
    # The address of a list found while typing is the one that would open it again.
    response["HX-Replace-Url"] = reverse("bank:questions") + filters.query
    return response


@require_safe
@for_interviewers
def card(request: HttpRequest, card_id: str) -> HttpResponse:
    return card_page(request, readable_card(card_id), LeakForm())


@require_POST
@for_interviewers
def leak(request: HttpRequest, card_id: str) -> HttpResponse:
    """Field `reason` flags the card; `flagged_at`, that of a flag, takes it back."""
    found, states = readable_card(card_id), CardState.objects
    back, form = TakeBackForm(request.POST), LeakForm(request.POST)
    try:
        if back.is_valid():
            states.take_back(found.id, back.cleaned_data["flagged_at"])
        elif form.is_valid():
            reason = form.cleaned_data["reason"]
            states.flag_leak(found.id, person(request), reason, timezone.now())
        else:
            return card_page(request, found, form, status=422)
    except Changed as changed:
        return card_page(request, found, form, str(changed), status=409)
    place = reverse("bank:card", args=[found.id])
    return HttpResponseRedirect(f"{place}#its-leak", status=303)


def card_page(
    request: HttpRequest, found: Card, form: LeakForm, told: str = "", status: int = 200
) -> HttpResponse:
    content = library()
    context = {
        "page": CardPage.of(found, content, renderer_of(content)),
        "history": History.of(found, person(request), timezone.localdate()),
        "state": CardState.objects.leak_of(found.id),
        "samples": Sample.objects.in_use().filter(card_id=found.id),
        "form": form,
        "told": told,
    }
    return page(request, "bank/card.html", context, status=status)


def readable_card(card_id: str) -> Card:
    """Any that is in the content: interviewers read them all."""
    content = library()
    found = content.cards.get(card_id)
    if found is None:
        raise Http404(content.gone.get(card_id) or "There is no such card.")
    return found
