"""What a browser gets that opens the address of a form: typed, kept or loaded again."""

from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.deprecation import MiddlewareMixin

from .errors import not_allowed


class NotAllowedMiddleware(MiddlewareMixin):
    """Django's refusal has no body, and a browser shows its own error instead."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        is_opened = request.method == "GET" and request.accepts("text/html")
        if is_opened and isinstance(response, HttpResponseNotAllowed):
            above = way_up(request.path, page_above(request.path))
            response.content = not_allowed(request, above).content
        return response


def page_above(path: str) -> str:
    """The nearest address above this one that the site has; a form stands on it."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(path)
        except Resolver404:
            continue
        return path
    return path


def way_up(path: str, above: str) -> str:
    """A link that repeats no word of an address, whoever made it up."""
    return "../" * (path.count("/") - above.count("/")) or "./"
