"""Which of these pages there are, and for whom."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, cast

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from .user import User


def person(request: HttpRequest) -> User:
    """Whoever signed in: the sign-in middleware lets nobody else reach a view."""
    return cast(User, request.user)


def in_shared_mode[**P](
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """404 on a local installation, which has one owner and no door."""

    @wraps(view)
    def wrapped(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if settings.PREFILL_MODE != "shared":
            raise Http404("A local installation has no accounts.")
        return view(request, *args, **kwargs)

    return wrapped


def for_owners[**P](
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    @wraps(view)
    def wrapped(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not person(request).is_owner:
            raise PermissionDenied("Only an owner of this installation may do that.")
        return view(request, *args, **kwargs)

    return wrapped
