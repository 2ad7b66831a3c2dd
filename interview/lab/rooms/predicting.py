"""Who has predicted a step's next run, and what one seat itself said."""

from dataclasses import dataclass

from interview.cards.experiment import Experiment

from .. import content
from ..models import Prediction, RoomSeat, Run, Status, Step
from .guesses import NAMELESS
from .predict_form import PredictForm


@dataclass(frozen=True, slots=True)
class Predicting:
    """Of the run that is under way, or of the next one."""

    own: list[Prediction]
    """As this seat locked them."""
    form: PredictForm | None
    """None where nothing can be predicted any more, or is locked already."""
    is_late: bool
    """The run has started."""
    has_run: bool
    """There was a run before: the next one is another."""
    count: int
    """Seats that have predicted, of so many that are here."""
    of: int
    names: tuple[str, ...]
    """Whose predictions are locked; for the host alone."""


def predicting(
    seat: RoomSeat, step: Step, run: Run | None, form: PredictForm | None = None
) -> Predicting:
    """`run` is the step's newest; `form` is one that was refused."""
    under_way = run if run and not run.is_over else None
    awaiting = Prediction.objects.awaiting(step, under_way)
    made = list(awaiting.select_related("seat").order_by("pk"))
    here = {one.pk: one.name for one in seat.room.present_seats}
    said = dict.fromkeys(one.seat_id for one in made if one.seat_id in here)
    own = [one for one in made if one.seat_id == seat.pk]
    is_late = bool(under_way and under_way.status != Status.QUEUED)
    is_open = not (own or is_late or seat.room.is_over)
    return Predicting(
        own=own,
        form=(form or PredictForm(experiment=experiment_of(step))) if is_open else None,
        is_late=is_late,
        has_run=bool(run and run.is_over),
        count=len(said),
        of=len(here),
        names=tuple(here[pk] or NAMELESS for pk in said if pk) if seat.is_host else (),
    )


def experiment_of(step: Step) -> Experiment | None:
    """The step's own, or that of the run it shows."""
    named = step.experiment
    if step.run:
        named = step.run.asked.experiment or ""
    return content.experiment(named)
