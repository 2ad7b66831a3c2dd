"""One step as a seat may see it: a card, an experiment, a run or a free request."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from interview.cards.card import Card
from interview.cards.experiment import Experiment
from interview.cards.outline import Passage

from .. import content
from ..experiments.experiment_page import spec_of
from ..form.forms import RunForm
from ..models import Kind, Prediction, RoomSeat, Run, Shown, Step
from ..pages import expected, for_room, offers, page_context, run_title
from ..runs.addresses import Addresses
from ..runs.spec import Spec
from .drive import drive_form
from .guesses import boards
from .predict_form import PredictForm
from .predicting import predicting


@dataclass(frozen=True, slots=True)
class CardPart:
    """Of a card only what the host has opened: the rest is not here at all."""

    question: Passage
    short: Passage | None
    full: Passage | None

    @classmethod
    def of(cls, card: Card, shown: int) -> "CardPart":
        return cls(
            question=card.question,
            short=card.short if shown >= Shown.SHORT else None,
            full=card.full if shown >= Shown.FULL else None,
        )


@dataclass(frozen=True, slots=True)
class StepPage:
    kind: str
    """The name of its template: card, experiment, looked_at or free."""
    title: str
    card: CardPart | None = None
    experiment: Experiment | None = None
    spec: Spec | None = None
    """What an experiment sends; None where that is the driver's to say."""
    expected: str = ""
    """How long a run takes, or why it would be refused; "" of one request."""

    @property
    def template(self) -> str:
        return f"lab/room/_{self.kind}.html"


def title_of(step: Step) -> str:
    """What it is about; of a card that is not for everybody any more, only that."""
    if step.card:
        card = content.card(None, step.card)
        return card.title_text if card else "A card"
    if step.experiment:
        shown = content.experiment(step.experiment)
        return shown.title if shown else "An experiment"
    if step.run:
        asked = for_room(step.run.asked)
        card = content.card(None, asked.card or "")
        return run_title(asked, card, content.experiment(asked.experiment or ""))
    return "A free request"


def step_page(step: Step) -> StepPage:
    title = title_of(step)
    if step.card:
        card = content.card(None, step.card)
        part = CardPart.of(card, step.shown) if card else None
        return StepPage("card", title, card=part)
    if step.experiment:
        shown = content.experiment(step.experiment)
        spec = spec_of(shown) if shown else None
        return StepPage("experiment", title, None, shown, spec, takes(spec))
    if step.run:
        is_ours = step.run.kind != Kind.IMPORTED
        spec = step.run.asked if is_ours and step.run.asked.is_load else None
        return StepPage("looked_at", title, expected=takes(spec))
    return StepPage("free", title)


def takes(spec: Spec | None) -> str:
    return expected(spec) if spec else ""


def step_context(
    seat: RoomSeat,
    step: Step,
    *,
    is_now: bool,
    run: Run | None = None,
    predict: PredictForm | None = None,
    drive: RunForm | None = None,
) -> dict[str, Any]:
    """`run` is the one that was chosen, else the newest is shown; `predict` and `drive`
    are forms that were refused. `is_now` is false of all steps but the last one."""
    runs = list(step.runs.order_by("created_at").defer("report"))
    newest = runs[-1] if runs else None
    shown = run or newest or step.run
    acts = {}
    if is_now and not seat.room.is_over and shown == (newest or step.run):
        acts = acts_of(seat, step, newest, predict, drive)
    return {
        "it": step_page(step),
        "step_runs": [(each, each == shown) for each in runs],
        **acts,
        **(run_part(seat, shown) if shown else {}),
    }


def step_frame(
    seat: RoomSeat, step: Step, *, is_now: bool, run: Run | None = None
) -> dict[str, Any]:
    """Of a step what changes without its stage: what can be done, and who streams."""
    newest = step.runs.order_by("-created_at").defer("report").first()
    shown = run or newest or step.run
    acts = {}
    if is_now and not seat.room.is_over and shown == (newest or step.run):
        acts = acts_of(seat, step, newest)
    gathers = shown and not shown.is_over and shown.asked.gathers
    return {"it": step_page(step), "gathering": shown if gathers else None, **acts}


def acts_of(
    seat: RoomSeat,
    step: Step,
    newest: Run | None,
    predict: PredictForm | None = None,
    drive: RunForm | None = None,
) -> dict[str, Any]:
    """What can be done at the step that is before everybody."""
    may_drive = seat.is_driving or seat.is_host
    runs = Run.objects.filter(step__room=seat.room).defer("report")
    form = drive or (drive_form(step) if may_drive else None)
    return {
        "predicting": predicting(seat, step, newest, predict),
        "drive": form,
        "offers": offers() if form and form.for_experiment else [],
        "can_run": not (step.run and step.run.kind == Kind.IMPORTED),
        "may_drive": may_drive,
        "under_way": runs.under_way().first(),
        "has_run": newest is not None,
    }


def run_part(seat: RoomSeat, run: Run) -> dict[str, Any]:
    """A run as its page in the lab has it, with what the room's seats said."""
    context = page_context(run, Addresses.in_room(seat.room, run))
    made = Prediction.objects.open_to(seat, run).select_related("seat").order_by("pk")
    predictions, result = list(made), context["result"]
    figures = (result.figures if result else run.figures) if run.is_over else None
    last_load = run.asked.load_names[-1]
    own = run.owner_id == seat.user_id
    return context | {
        "lab_page": reverse("lab:run", args=[run.slug]) if own else "",
        "predictions": [one for one in predictions if one.seat_id == seat.pk],
        # What persons predicted in the lab is theirs; the boards have the seats'.
        "compared": [],
        "boards": boards(predictions, figures, last_load, seat.pk)
        if run.started_at
        else [],
    }
