"""What a projector shows of a room: few things, large, nothing that guests lack."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from interview.cards.card import Audience
from interview.cards.outline import Passage
from interview.web.content import library

from .. import content
from ..models import Prediction, RoomSeat, Run, Step
from ..runs.run_row import in_asked_order, largest_measured, load_words
from .frame import frame_context

METRICS = ("ttft_ms", "itl_p50_ms", "output_tokens_per_s")


@dataclass(frozen=True, slots=True)
class BigNumbers:
    """The medians of one load of a run; None where it has none."""

    users: int | None
    """Streams at once; None where the load's name tells no number."""
    name: str
    ttft_ms: float | None
    gap_ms: float | None
    output_tokens_per_s: float | None

    @classmethod
    def of(cls, name: str, figures: Mapping[str, Any]) -> Self:
        """Of one load's figures; see `results/figures.py`."""
        values = figures["values"]
        ttft_ms, gap_ms, rate = (values.get(m, [None])[0] for m in METRICS)
        users = int(name) if name.isdecimal() else None
        return cls(users, name, ttft_ms, gap_ms, rate)


def presenter_context(seat: RoomSeat, now: datetime) -> dict[str, Any]:
    """Of the latest step and its newest run; see `frame.py` for the rest."""
    room, step = seat.room, seat.room.step
    frame = frame_context(seat, now)
    run: Run | None = frame["latest_run"]
    return {
        "room": room,
        "step": step,
        **frame,
        "question": question_of(step) if step else None,
        "predicted": predicted(step, run) if step else 0,
        "is_result": is_result(run),
        "run": run,
        "load": load_words(run) if run else "",
        "numbers": numbers_of(run) if run else None,
        "levels": levels_of(run) if run else [],
    }


def question_of(step: Step) -> Passage | None:
    """The card's question, or what the experiment lets people predict."""
    if step.card:
        card = library().visible(step.card, Audience.CANDIDATE)
        return card.question if card else None
    experiment = content.experiment(step.experiment)
    return experiment.question if experiment else None


def predicted(step: Step, run: Run | None) -> int:
    """Seats that have said something for a run that has started or waits; for the next
    one where there is none."""
    if is_result(run):
        return Prediction.objects.filter(run=run).values("seat").distinct().count()
    under_way = run if run and not run.is_over else None
    awaiting = Prediction.objects.awaiting(step, under_way)
    return awaiting.filter(seat__removed_at=None).values("seat").distinct().count()


def is_result(run: Run | None) -> bool:
    """What was said of a run that was stopped before it started is for the next."""
    return run is not None and run.is_over and run.started_at is not None


def numbers_of(run: Run) -> BigNumbers:
    """Of the largest load that has any, as lists of runs show it."""
    figures = run.figures or {}
    name = largest_measured(run.asked.load_names, figures)
    return BigNumbers.of(name, figures[name] if name else {"values": {}})


def levels_of(run: Run) -> list[BigNumbers]:
    """One a load, where there are several."""
    figures = in_asked_order(run)
    found = [BigNumbers.of(name, told) for name, told in figures.items()]
    return found if len(found) > 1 else []
