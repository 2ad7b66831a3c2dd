"""Pages that no cache, index or other site may learn of: their address is a key."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.deprecation import MiddlewareMixin

HEADERS = {
    "Cache-Control": "no-store",
    # With `no-referrer` a browser sends the forms of the page with `Origin: null`,
    # which the CSRF check refuses. This one tells the host alone, never the path.
    "Referrer-Policy": "strict-origin",
    "X-Robots-Tag": "noindex, nofollow",
}


def unlisted[**P](
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    @wraps(view)
    def wrapped(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        response = view(request, *args, **kwargs)
        for name, value in HEADERS.items():
            response.headers[name] = value
        return response

    return wrapped


class UnlistedMiddleware(MiddlewareMixin):
    """The same for whole namespaces, whatever their addresses answer: refusals, too."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        match = request.resolver_match
        if match and match.namespace in settings.UNLISTED:
            patch_cache_control(response, no_store=True)
            response.headers["X-Robots-Tag"] = HEADERS["X-Robots-Tag"]
        return response
