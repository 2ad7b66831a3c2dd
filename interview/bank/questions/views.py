"""The bank: every card that interviewers see."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from interview.cards.card import Audience
from interview.web.content import library
from interview.web.page import page

from ..access import for_interviewers


@require_safe
@for_interviewers
def questions(request: HttpRequest) -> HttpResponse:
    cards = library().listed(Audience.AUTHOR)
    return page(request, "bank/questions.html", {"cards": cards})
