"""Error pages: real pages that say what happened and what to do."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from .page import page


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An exception may name `ways` out, as (address, words)."""
    context = {"sentence": str(exception), "ways": getattr(exception, "ways", ())}
    return page(request, "errors/403.html", context, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, "errors/404.html", status=404)


def not_allowed(request: HttpRequest, above: str) -> HttpResponse:
    """`above` leads to the page that its form stands on."""
    return page(request, "errors/405.html", {"above": above}, status=405)


def server_error(request: HttpRequest) -> HttpResponse:
    """Drawn without the request: what failed may be the database behind the frame."""
    return HttpResponse(render_to_string("errors/500.html"), status=500)
