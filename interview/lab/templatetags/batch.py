"""A run that a room makes together: `{% room_batch run seat as batch %}`."""

from django import template
from django.utils import timezone

from ..models import RoomSeat, Run
from ..rooms.batch import Batch, batch

register = template.Library()


@register.simple_tag
def room_batch(run: Run, seat: RoomSeat) -> Batch:
    return batch(run, seat, timezone.now())
