"""One view serves the whole page and its parts."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers


def page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    part: str | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page, or only its partial `part` when htmx asks for a fragment.

    htmx 4 sends `HX-Request-Type: partial` for a swap and `full` for a boosted page.
    """
    wants_part = request.headers.get("HX-Request-Type") == "partial"
    name = f"{template}#{part}" if part and wants_part else template
    response = render(request, name, context, status=status)
    patch_vary_headers(response, ["HX-Request-Type"])
    return response
