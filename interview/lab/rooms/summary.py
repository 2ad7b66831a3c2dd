"""A room from its first step to its last: what was run, and who was there."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..models import Prediction, Room, RoomSeat, Run, Step
from ..runs.run_row import RunRow, run_row
from .guesses import Board, boards
from .step_page import title_of


@dataclass(frozen=True, slots=True)
class RunLine:
    number: int
    """From 1, in its step."""
    run: Run
    row: RunRow | None
    """None where only its address was asked for."""
    boards: list[Board]
    """Empty of a run that never started, and where they were not asked for."""


@dataclass(frozen=True, slots=True)
class StepLine:
    step: Step
    title: str
    runs: list[RunLine]
    """The first to the last; of a step that shows a run, that one first."""


GONE = {True: "left", False: "removed", None: "left or removed"}


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    role: str
    is_own: bool
    gone: str
    """How it went before the room ended; "" of who was there until then."""
    predicted: int
    """Runs for which this seat had said something."""


def step_lines(seat: RoomSeat, *, is_whole: bool) -> list[StepLine]:
    """All steps of the seat's room with their runs; if `is_whole`, with what came of
    them and everybody's guesses."""
    runs = Run.objects.of_room(seat.room)
    # What is only listed needs nothing out of the reports, which are long.
    runs = runs.listed() if is_whole else runs.defer("report")
    shown = {run.pk: run for run in runs.order_by("created_at")}
    made = Prediction.objects.filter(step__room=seat.room, run__in=list(shown))
    made = made if is_whole else made.none()
    said: dict[object, list[Prediction]] = {}
    for one in made.select_related("seat").order_by("pk"):
        said.setdefault(one.run_id, []).append(one)
    lines = []
    for step in seat.room.listed_steps:
        own = [run for run in shown.values() if run.step_id == step.pk]
        looked_at = shown.get(step.run_id) if step.run_id else None
        runs_of = [looked_at, *own] if looked_at else own
        found = run_lines(runs_of, said, seat, is_whole=is_whole)
        lines.append(StepLine(step, title_of(step), found))
    return lines


def run_lines(
    runs: Iterable[Run],
    said: dict[object, list[Prediction]],
    seat: RoomSeat,
    *,
    is_whole: bool,
) -> list[RunLine]:
    lines = []
    for number, run in enumerate(runs, 1):
        made = said.get(run.pk, []) if run.started_at else []
        figures = run.figures if run.is_over else None
        found = boards(made, figures, run.asked.load_names[-1], seat.pk)
        row = run_row(run) if is_whole else None
        lines.append(RunLine(number, run, row, found))
    return lines


def is_settled(lines: Iterable[StepLine]) -> bool:
    """None of their runs is under way."""
    return all(one.run.is_over for line in lines for one in line.runs)


def people(seat: RoomSeat, room: Room) -> list[Person]:
    """Who had a seat, also those who lost it, in the order in which they came."""
    said: dict[object, set[object]] = {}
    rows = Prediction.objects.filter(step__room=room, run__started_at__isnull=False)
    for seat_id, run_id in rows.values_list("seat", "run"):
        said.setdefault(seat_id, set()).add(run_id)
    return [
        Person(
            name=one.name or "somebody",
            role=one.role,
            is_own=one.pk == seat.pk,
            gone=GONE[one.has_left] if one.is_removed else "",
            predicted=len(said.get(one.pk, ())),
        )
        for one in room.seats.select_related("room").order_by("pk")
    ]
