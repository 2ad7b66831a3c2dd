"""Who is asking: the one owner of a local installation, else whoever signed in."""

from typing import NoReturn

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject

from .models import User


class LocalOwnerMiddleware(MiddlewareMixin):
    """Signs the owner in when the installation is local; does nothing otherwise."""

    def process_request(self, request: HttpRequest) -> None:
        if settings.PREFILL_MODE == "local":
            owner = User.objects.local_owner
            request.user = SimpleLazyObject(owner)  # type: ignore[assignment]  # lazy, as Django's own
            request.auser = sync_to_async(owner)


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Deny by default; a public view says so with `login_not_required`."""

    def handle_no_permission(self, request: HttpRequest, view_func: object) -> NoReturn:
        raise PermissionDenied("Sign in first.")
