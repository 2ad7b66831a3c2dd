"""Calibration: sample answers, rated apart, then looked at together."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from interview.accounts.access import person
from interview.cards.card import Card
from interview.rating.words import level_word
from interview.web.content import library
from interview.web.keys import uuid7
from interview.web.page import page
from interview.web.rendering import renderer_of

from ..access import for_interviewers, own_sample
from ..errors import BankError
from ..frozen import cards_of
from ..models import Sample, SampleRating
from .forms import RateForm, WriteForm
from .listing import SamplesPage
from .sample_page import Panel, SamplePage

ALREADY = "Your first rating counts: {}."


@require_safe
@for_interviewers
def samples(request: HttpRequest) -> HttpResponse:
    shown = SamplesPage.of(person(request), library())
    return page(request, "bank/calibration.html", {"page": shown})


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def write_sample(request: HttpRequest) -> HttpResponse:
    """`?card=` chooses the card."""
    content = library()
    if request.method != "POST":
        first = {"key": uuid7(), "card": request.GET.get("card", "")}
        form = WriteForm(content, initial=first)
        return page(request, "bank/write_sample.html", {"form": form})
    form = WriteForm(content, request.POST)
    if not form.is_valid():
        return page(request, "bank/write_sample.html", {"form": form}, status=422)
    given = form.cleaned_data
    try:
        written = Sample.objects.write(
            content.cards[given["card"]],
            given["title"],
            given["answer"],
            person(request),
            timezone.now(),
            given["key"],
        )
    except BankError as refused:
        form.add_error("key", str(refused))
        return page(request, "bank/write_sample.html", {"form": form}, status=422)
    return to_sample(written)


@require_safe
@for_interviewers
def sample(request: HttpRequest, sample_id: UUID) -> HttpResponse:
    found = get_object_or_404(Sample, pk=sample_id)
    card = card_of(found)
    return sample_page(request, found, card, RateForm(card) if card else None)


@require_POST
@for_interviewers
def rate_sample(request: HttpRequest, sample_id: UUID) -> HttpResponse:
    found = get_object_or_404(Sample, pk=sample_id)
    card = card_of(found)
    if card is None:
        return sample_page(request, found, None, None, status=409)
    form = RateForm(card, request.POST)
    if not form.is_valid():
        return sample_page(request, found, card, form, status=422)
    rating, reason = form.cleaned_data["rating"], form.cleaned_data["reason"]
    try:
        given, is_first = SampleRating.objects.give(
            person(request), found, rating, reason, timezone.now()
        )
    except BankError as refused:
        form.add_error(None, str(refused))
        return sample_page(request, found, card, form, status=409)
    if not is_first and (given.rating, given.reason) != (rating, reason):
        messages.info(request, ALREADY.format(level_word(given.rating)))
    return to_sample(found)


@require_POST
@for_interviewers
def retire_sample(request: HttpRequest, sample_id: UUID) -> HttpResponse:
    """`retired=1` takes it out of use, anything else back in."""
    found = own_sample(request, sample_id)
    found.retire(timezone.now() if request.POST.get("retired") == "1" else None)
    return to_sample(found)


def sample_page(
    request: HttpRequest,
    found: Sample,
    card: Card | None,
    form: RateForm | None,
    status: int = 200,
) -> HttpResponse:
    content = library()
    context = {
        "page": SamplePage.of(found, card, content, renderer_of(content)),
        "panel": Panel.of(found, person(request)),
        "form": form,
        "is_own": Sample.objects.editable_by(person(request)).contains(found),
    }
    return page(request, "bank/sample.html", context, status=status)


def card_of(found: Sample) -> Card | None:
    """As it was when the sample was written."""
    return cards_of([found]).get(found.card_id)


def to_sample(found: Sample) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("bank:sample", args=[found.pk]), status=303)
