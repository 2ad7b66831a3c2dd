"""Keep a run for good, or let it go."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from ..runs.visible import visible_run
from .start import see


@require_POST
def pin(request: HttpRequest, slug: str) -> HttpResponse:
    """`pinned=1` keeps it, `pinned=0` lets it go; without either it toggles."""
    shown = visible_run(request, slug)
    wanted = request.POST.get("pinned")
    keep = wanted == "1" if wanted in ("0", "1") else not shown.pinned
    shown.pin(pinned=keep)
    said = "This run is kept for good." if keep else "This run is no longer pinned."
    messages.success(request, said)
    return see(shown)
