"""Who asks, and which run they may see."""

from typing import cast

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from interview.accounts.models import User

from ..models import Run


def person(request: HttpRequest) -> User:
    """Whoever signed in: the sign-in middleware lets nobody else reach a view."""
    return cast(User, request.user)


def visible_run(request: HttpRequest, slug: str) -> Run:
    """The run, or 404 also when it is someone else's."""
    return get_object_or_404(Run.objects.visible_to(person(request)).named(slug))
