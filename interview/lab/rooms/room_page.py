"""What the page of a room gets, as one seat may see it."""

from typing import Any

from django.utils import timezone

from ..form.forms import RunForm
from ..models import RoomSeat, Run, Step
from .frame import frame_context
from .predict_form import PredictForm
from .step_page import step_context, step_frame
from .summary import is_settled, people, step_lines


def room_context(
    seat: RoomSeat,
    chosen: Step | None = None,
    *,
    run: Run | None = None,
    predict: PredictForm | None = None,
    drive: RunForm | None = None,
    problem: str = "",
) -> dict[str, Any]:
    """`chosen` is a step that somebody went back to; None follows the host.

    `run` is one that was chosen of it. `predict` and `drive` are forms that could not
    be taken as they are, `problem` says in a sentence what could not be done.
    """
    context = around(seat, chosen)
    room, step = seat.room, context["step"]
    is_summary = room.is_over and chosen is None
    lines = step_lines(seat, is_whole=is_summary)
    context |= {"problem": problem, "lines": lines, "is_settled": is_settled(lines)}
    if is_summary:
        return context | {"people": people(seat, room)}
    if step is None:
        return context
    is_now = step == context["latest"]
    return context | step_context(
        seat, step, is_now=is_now, run=run, predict=predict, drive=drive
    )


def frame_of(
    seat: RoomSeat, chosen: Step | None = None, *, run: Run | None = None
) -> dict[str, Any]:
    """As `room_context`, for the parts alone that change without the stage.

    Every page of a room asks for them at every change: no report is read for them.
    """
    context = around(seat, chosen) | {"is_frame": True}
    step = context["step"]
    if step is None or (seat.room.is_over and chosen is None):
        return context
    return context | step_frame(seat, step, is_now=step == context["latest"], run=run)


def around(seat: RoomSeat, chosen: Step | None) -> dict[str, Any]:
    """What all parts of the page share."""
    room, now = seat.room, timezone.now()
    latest = room.step
    return {
        "room": room,
        "seat": seat,
        "step": chosen or latest,
        "latest": latest,
        "follows": chosen is None,
        "is_frozen": room.is_frozen(now),
        **frame_context(seat, now),
    }
