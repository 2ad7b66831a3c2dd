"""An address that takes forms alone, opened as a page: a page that says so."""

from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from .page import page


class NotAllowedMiddleware(MiddlewareMixin):
    """Browsers show an answer without a body as a fault of their own: this happens to
    whoever sends the address of a refused form again from the address bar."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        is_opened = request.method == "GET" and request.accepts("text/html")
        if not (is_opened and isinstance(response, HttpResponseNotAllowed)):
            return response
        shown = page(request, "errors/405.html", status=405)
        shown.headers["Allow"] = response.headers["Allow"]
        return shown
