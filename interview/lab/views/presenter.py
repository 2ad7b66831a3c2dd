"""The room on a projector: large numbers and the way in, nothing to press."""

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from interview.accounts.unlisted import unlisted
from interview.web.page import page

from ..models import SeatRole
from ..rooms.access import NOT_YOURS, seat_in
from ..rooms.presenter import presenter_context
from ..rooms.way_in import WayIn


@login_not_required
@require_safe
@unlisted
def presenter(request: HttpRequest, slug: str) -> HttpResponse:
    """The host's, also of a room that has ended."""
    seat = seat_in(request, slug)
    if not seat.is_host:
        raise PermissionDenied(NOT_YOURS[SeatRole.HOST])
    context = presenter_context(seat, timezone.now())
    return page(request, "lab/presenter.html", context, part="presenter")


@login_not_required
@require_safe
@unlisted
def door(request: HttpRequest, slug: str) -> HttpResponse:
    """The QR code of the room's door, as it is now."""
    svg = WayIn.of(request, seat_in(request, slug).room).qr_svg()
    return HttpResponse(svg, content_type="image/svg+xml")
