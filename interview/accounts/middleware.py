"""Who is asking: the one owner of a local installation, else whoever signed in."""

from functools import cache
from typing import cast
from zoneinfo import ZoneInfo

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject

from interview.web.context import is_known

from .errors import TooManyAttempts
from .limited import too_many_page
from .signed_in import person_of
from .stranger import sign_in_first
from .user import User


class PersonMiddleware(MiddlewareMixin):
    """The owner when the installation is local; else who the session belongs to, as
    long as it was not ended from elsewhere."""

    def process_request(self, request: HttpRequest) -> None:
        @cache
        def person() -> User | AnonymousUser:
            if settings.PREFILL_MODE == "local":
                return User.objects.local_owner()
            return person_of(request, timezone.now())

        request.user = SimpleLazyObject(person)  # type: ignore[assignment]  # lazy, as Django's own
        request.auser = sync_to_async(lambda: person())


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Deny by default; a public view says so with `login_not_required`."""

    def handle_no_permission(  # type: ignore[override]  # Django only redirects
        self, request: HttpRequest, view_func: object
    ) -> HttpResponse:
        return sign_in_first(request)


class TimeZoneMiddleware(MiddlewareMixin):
    """Times of a page are in the zone of whoever reads it."""

    def process_view(self, request: HttpRequest, *view: object) -> None:
        if is_known(request):
            timezone.activate(ZoneInfo(cast(User, request.user).time_zone))

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        timezone.deactivate()
        return response


class AttemptsMiddleware(MiddlewareMixin):
    """Any view may find that somebody tries too often."""

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        if isinstance(exception, TooManyAttempts):
            return too_many_page(request, exception)
        return None
