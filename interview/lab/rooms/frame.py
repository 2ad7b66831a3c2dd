"""The frame around a room's steps: who is here, how the room stands, the host's row.

It is the same for every seat; what a step shows is not its business.
"""

from datetime import datetime
from typing import Any

from django.conf import settings

from ..models import Room, RoomSeat, Run, Shown, Step
from .choice import choices
from .places import Place, clock, places
from .step_page import title_of

QUIET = (1, 2, 5, 10)
"""Minutes that a host can choose."""


def frame_context(seat: RoomSeat, now: datetime) -> dict[str, Any]:
    room = seat.room
    latest = room.step
    around = places(room, seat, now)
    host = next((place for place in around if place.seat.is_host), None)
    driver = next((place for place in around if place.is_driving), None)
    return {
        "places": around,
        "host": host,
        "driver": driver,
        "hands": [place for place in around if place.seat.hand_raised_at],
        "latest_title": title_of(latest) if latest else "",
        "latest_run": latest_run(latest),
        "frozen": clock(frozen_s(room, now)),
        "frozen_s": frozen_s(room, now),
        "keep_days": settings.LAB_KEEP_DAYS,
        **(host_row(room, latest, around) if seat.is_host and not room.is_over else {}),
    }


def host_row(room: Room, latest: Step | None, around: list[Place]) -> dict[str, Any]:
    """What only the host can press."""
    others = [place for place in around if not place.seat.is_host]
    return {
        "choices": choices(),
        "quiet_choices": QUIET,
        "others": others,
        "to_hand_over": [place for place in around if not place.is_driving],
        "answers": answers(latest),
    }


def answers(step: Step | None) -> list[tuple[int, str]]:
    """What can be opened or closed of the card's answer: `shown` and its words."""
    if step is None or not step.card:
        return []
    words = {
        Shown.QUESTION: "Close the answer",
        Shown.SHORT: "Open the short answer",
        Shown.FULL: "Open the full answer",
    }
    return [(shown.value, said) for shown, said in words.items() if shown != step.shown]


def latest_run(step: Step | None) -> Run | None:
    """The newest run of the step, as far as it was asked for."""
    if step is None:
        return None
    return step.runs.order_by("-created_at").defer("report").first()


def frozen_s(room: Room, now: datetime) -> int:
    """Quiet for so long still, rounded up; 0 when it is not."""
    if room.frozen_until is None or room.frozen_until <= now:
        return 0
    return -int(-(room.frozen_until - now).total_seconds() // 1)
