"""The front page: the one view that may look into every app."""

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from interview.accounts.models import User
from interview.bank.interviews.at_hand import AtHand
from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.lab.models import Run
from interview.lab.results.result import Result
from interview.study.practice.home_page import Practised
from interview.web.content import library
from interview.web.page import page

FIRST_CARD = "two-phases-of-a-request"
FIRST_SECTION = "1.3"


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    content = library()
    cards = content.listed(Audience.CANDIDATE)
    context = {
        "cards": cards,
        "sections": content.sections,
        "today": card_of(cards, timezone.localdate()),
        "practice": Practised.of(request.user, content, timezone.now())
        if request.user.is_authenticated
        else None,
        "bank": AtHand.of(request.user, timezone.localdate())
        if request.user.is_authenticated
        else None,
        "last": last_run(request.user) if request.user.is_authenticated else None,
        **first_steps(content),
    }
    return page(request, "home.html", context)


def card_of(cards: list[Card], day: date) -> Card | None:
    """One question a day, in turn."""
    return cards[day.toordinal() % len(cards)] if cards else None


def first_steps(content: Library) -> dict[str, Any]:
    """Where a first visit begins: one card and one section, as far as they exist."""
    return {
        "first_card": content.visible(FIRST_CARD, Audience.CANDIDATE),
        "first_section": content.sections.get(FIRST_SECTION),
    }


def last_run(person: User) -> dict[str, Any] | None:
    """The person's last run that has a result, with its numbers."""
    run = Run.objects.visible_to(person).filter(report__isnull=False).first()
    result = Result.of(run.report) if run and run.report else None
    return {"run": run, "result": result} if result else None
