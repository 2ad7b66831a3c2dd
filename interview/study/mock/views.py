"""The pages of mock interviews. While the timed pass lasts none holds an answer."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from interview.accounts.access import person
from interview.web.clock import Clock
from interview.web.content import library
from interview.web.draw_form import a_chance
from interview.web.keys import uuid7
from interview.web.page import page
from interview.web.rendering import renderer_of

from ..models import Mock, Plan
from .grading import GradingPage
from .listing import role_of, rows_of
from .places import see, to_mock, to_question
from .question import first_ungraded, questions_of
from .report import Report
from .start import StartForm, is_repeatable
from .timed import TimedPage

ORDINARY = {"minutes": 45, "level": "L4"}


@require_safe
def mocks(request: HttpRequest) -> HttpResponse:
    """`?role=&level=&minutes=&seed=` fill the form in."""
    plan = Plan.objects.of(person(request))
    given = {name: request.GET[name] for name in request.GET}
    known = {"role": plan.role, "level": plan.level or ORDINARY["level"]}
    first = ORDINARY | known | given | {"key": uuid7()}
    return mocks_page(request, StartForm(library(), initial=first))


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    form = StartForm(library(), request.POST)
    if form.is_valid():
        mock = form.begin(person(request), a_chance(), timezone.now())
        if mock:
            return see(to_mock(mock))
    return mocks_page(request, form, status=422)


def mocks_page(
    request: HttpRequest, form: StartForm, status: int = 200
) -> HttpResponse:
    rows = rows_of(person(request), library())
    context = {"form": form, "rows": rows}
    return page(request, "study/mock/mocks.html", context, status=status)


@require_safe
def mock(request: HttpRequest, mock_id: UUID) -> HttpResponse:
    """Where it stands: the question that is asked, or what there is to grade."""
    found = own_mock(request, mock_id)
    step = found.current()
    if step:
        return see(to_question(found, step.position))
    return page(request, "study/mock/over.html", over_context(found))


@require_safe
def question(request: HttpRequest, mock_id: UUID, position: int) -> HttpResponse:
    """In the timed pass the current question, whatever the address says."""
    found = own_mock(request, mock_id)
    step = found.current()
    content, now = library(), timezone.now()
    if step and step.position != position:
        return see(to_question(found, step.position))
    if step:
        shown = TimedPage.of(found, step, content, renderer_of(content), now)
        return page(request, "study/mock/question.html", {"page": shown})
    questions = questions_of(found, content, now)
    here = next((q for q in questions if q.step.position == position), None)
    if here is None:
        return see(to_mock(found))
    graded = GradingPage.of(here, content, renderer_of(content))
    following = next((q for q in questions if q.step.position > position), None)
    context = {"mock": found, "page": graded, "following": following}
    return page(request, "study/mock/grading.html", context)


@require_safe
def report(request: HttpRequest, mock_id: UUID) -> HttpResponse:
    found = own_mock(request, mock_id)
    if found.current():
        return see(to_mock(found))
    return page(request, "study/mock/report.html", over_context(found))


def over_context(found: Mock) -> dict[str, Any]:
    content, now = library(), timezone.now()
    questions = questions_of(found, content, now)
    planned = sum(each.step.minutes or 0 for each in questions)
    card_ids = [each.step.card_id for each in questions]
    return {
        "mock": found,
        "role": role_of(found, content),
        "questions": questions,
        "next": first_ungraded(questions),
        "report": Report.of(questions, content),
        "clock": Clock.of(found.started_at, planned, found.ended_at or now),
        "repeatable": is_repeatable(content, found, card_ids),
    }


def own_mock(request: HttpRequest, mock_id: UUID) -> Mock:
    return get_object_or_404(Mock.objects.of(person(request)), pk=mock_id)
