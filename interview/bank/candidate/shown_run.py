"""A run as the candidate sees it: its prompt, what was predicted, its numbers.

Loads are told by their numbers, because their names are an experiment's words, and a
prompt that was a card's question shows only when every candidate may read that card.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from interview.cards.quantity import METRICS
from interview.lab.experiments.reached import reached
from interview.lab.form.quantity import written
from interview.lab.models import Prediction, Run
from interview.lab.pages import for_room
from interview.lab.runs.asked_load import AskedLoad
from interview.lab.runs.spec import Spec
from interview.web.numbers import MISSING, counted

MADE_UP = "{}, made up"
NOT_SHOWN = "Not shown here."


@dataclass(frozen=True, slots=True)
class Number:
    title: str
    words: str
    """What it is; "" of a single request, where nothing is a median."""
    said: str
    """ "–" where nothing was predicted."""
    measured: str


@dataclass(frozen=True, slots=True)
class ShownLoad:
    title: str
    """ "64 users, prompts of 512 tokens, answers of 128" """
    numbers: Sequence[Number]


@dataclass(frozen=True, slots=True)
class ShownRun:
    prompt: str
    is_simulated: bool
    was_predicted: bool
    loads: Sequence[ShownLoad]

    @classmethod
    def of(cls, run: Run) -> Self:
        asked, figures = for_room(run.asked), run.figures or {}
        said = said_of(run, figures, asked.load_names[-1])
        names = list(dict.fromkeys([*asked.load_names, *figures]))
        loads = {load.name: load for load in asked.asked_loads}
        shown = [
            ShownLoad(
                title_of(asked, loads.get(name), name),
                list(numbers_of(asked, name, figures, said)),
            )
            for name in names
        ]
        return cls(
            prompt=prompt_of(asked),
            is_simulated=run.simulated,
            was_predicted=bool(said),
            loads=[load for load in shown if load.numbers],
        )


def said_of(
    run: Run, figures: Mapping[str, Any], last_load: str
) -> dict[tuple[str, str], str]:
    """What was locked before the run, by load and metric."""
    found = {}
    for each in Prediction.objects.filter(run=run, seat=None).order_by("pk"):
        quantity = reached(each.quantity, figures)
        found[quantity.load or last_load, quantity.metric] = each.text
    return found


def numbers_of(
    asked: Spec,
    load: str,
    figures: Mapping[str, Any],
    said: Mapping[tuple[str, str], str],
) -> Iterator[Number]:
    values = (figures.get(load) or {}).get("values") or {}
    for metric in METRICS.values():
        value, *_ = values.get(metric.name) or [None]
        guess = said.get((load, metric.name), MISSING)
        if value is not None or guess != MISSING:
            words = metric.words if asked.is_load else ""
            measured = written(metric.name, value)
            yield Number(metric.title, words, guess, measured)


def prompt_of(asked: Spec) -> str:
    if asked.prompt_tokens:
        return MADE_UP.format(counted(asked.prompt_tokens, "token"))
    return asked.prompt or NOT_SHOWN


def title_of(asked: Spec, load: AskedLoad | None, name: str) -> str:
    if load is None:
        return counted(int(name), "user") if name.isdecimal() else "Another load"
    users = counted(load.users, "user")
    if asked.prompt_tokens is None:
        # What typed words come to is the engine's to count.
        return f"{users}, answers of {counted(load.max_tokens, 'token')} at most"
    prompts = counted(load.prompt_tokens, "token")
    return (
        f"{users}, prompts of {prompts}, answers of {counted(load.max_tokens, 'token')}"
    )
