"""What somebody predicted in the runs of one experiment, and what came of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from interview.accounts.models import User
from interview.cards.experiment import Experiment

from ..models import Prediction, Run
from .calibration import Bias, biases
from .departures import departures
from .said import Said, said

MOST = 200


@dataclass(frozen=True, slots=True)
class Row:
    run: Run
    said: Said


@dataclass(frozen=True, slots=True)
class History:
    rows: tuple[Row, ...]
    """Newest first."""
    biases: tuple[Bias, ...]


def history(person: User, experiment: Experiment) -> History:
    """Of this person's own predictions, in runs that are over and asked for nothing
    else than the experiment."""
    made = Prediction.objects.filter(
        person=person, run__spec__experiment=experiment.id, run__ended_at__isnull=False
    )
    newest = made.select_related("run").defer("run__report").order_by("-run_id", "pk")
    runs = ((p.run, p) for p in newest[:MOST] if p.run)
    own = ((run, p) for run, p in runs if not departures(experiment, run.asked))
    rows = tuple(rows_of(own))
    return History(rows, tuple(biases(row.said for row in rows)))


def rows_of(predicted: Iterable[tuple[Run, Prediction]]) -> Iterable[Row]:
    for run, prediction in predicted:
        last_load = run.asked.load_names[-1]
        yield Row(run, said(prediction.guess, run.figures or {}, last_load))
