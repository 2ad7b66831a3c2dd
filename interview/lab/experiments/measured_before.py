"""What the manual measured of the same as an experiment: its rows, or none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interview.cards.experiment import Experiment
from interview.cards.quantity import METRICS
from interview.web.numbers import number

from .. import content
from ..form.quantity import written
from ..results.load_result import people
from ..runs.asked_load import AskedLoad
from ..runs.spec import Spec

LENGTHS = (512, 128)
"""Prompt and answer at which our simulator meets the manual; it states none."""
OTHER_LENGTHS = (
    "The manual’s numbers are left out: they are compared at prompts of 512 and "
    "answers of 128 tokens, and this run has others."
)
FEW_ROUNDS = 2
"""Requests of each user: with more of them the median is past the first wave."""


def manual_rows(experiment: Experiment) -> list[Mapping[str, str]]:
    """By users; none for an experiment of anything but users, at these lengths."""
    points = content.measured_points()
    lengths = {(load.prompt_tokens, load.output_tokens) for load in experiment.loads}
    if points is None or not experiment.by_users or lengths != {LENGTHS}:
        return []
    users = {str(number) for number in experiment.users}
    return [row for row in points.rows if row["users"] in users]


def rows_beside(
    asked: Spec, experiment: Experiment | None
) -> Sequence[Mapping[str, str]]:
    """What the manual measured of the same as a run; none at other lengths."""
    if not is_alike(asked):
        return []
    if experiment:
        return manual_rows(experiment)
    points = content.measured_points()
    return points.rows if points else []


def is_alike(asked: Spec) -> bool:
    return asked.loads is None and (asked.prompt_tokens, asked.max_tokens) == LENGTHS


def doubts(asked: Spec, experiment: Experiment | None) -> list[str]:
    """Why a run's numbers are not beside the manual's, or what differs if they are."""
    if experiment and not manual_rows(experiment):
        return []
    if not is_alike(asked):
        return [OTHER_LENGTHS]
    return [
        f"With {people(load.users)} {part_of_first_wave(load)} belong to the first "
        "wave, in which all prompts come at once: that makes the median TTFT longer."
        for load in asked.asked_loads
        if load.users > 1 and load.requests <= FEW_ROUNDS * load.users
    ]


def part_of_first_wave(load: AskedLoad) -> str:
    if load.requests <= load.users:
        return "all requests"
    half = load.requests == 2 * load.users
    return f"{'half' if half else 'more than half'} of the requests"


@dataclass(frozen=True, slots=True)
class ManualCell:
    users: str
    title: str
    manual: str
    here: str
    ratio: str
    """Here by the manual's."""
    is_first: bool
    """Of its number of users."""
    of: int
    """Rows that this number of users has."""


def manual_cells(
    rows: Iterable[Mapping[str, str]], figures: Mapping[str, Any] | None
) -> list[ManualCell]:
    """Every number of the manual in these rows, beside that of a run's figures."""
    found = []
    for row in rows:
        users = row["users"]
        values = ((figures or {}).get(users) or {}).get("values") or {}
        metrics = [name for name in METRICS if row.get(name)]
        for metric in metrics:
            theirs = float(row[metric])
            ours = values[metric][0] if metric in values else None
            found.append(
                ManualCell(
                    users=users,
                    title=METRICS[metric].title,
                    manual=written(metric, theirs),
                    here=written(metric, ours),
                    ratio=number(None if ours is None else ours / theirs, 2),
                    is_first=metric == metrics[0],
                    of=len(metrics),
                )
            )
    return found
