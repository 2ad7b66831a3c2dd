"""What the page of an experiment and the list of all of them show."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interview.accounts.models import User
from interview.cards.card import Card, WrongAnswer
from interview.cards.experiment import Claim, Experiment
from interview.cards.plain import plain_text

from .. import content
from ..errors import LabError
from ..form.forms import RunForm
from ..models import Run, Status
from ..runs.expectation import duration
from ..runs.spec import Spec
from .departures import departures
from .history import history
from .judged import Judged, against, in_short, judged
from .measured_before import manual_rows

NEWEST = 20
LOOKED_AT = 300
"""So many of the newest runs are looked through for last verdicts."""


@dataclass(frozen=True, slots=True)
class JudgedRun:
    run: Run
    judged: list[Judged]
    """Empty while the run is not over, and where it asked for something else."""
    departs: bool
    """It asked for something else than the experiment."""


@dataclass(frozen=True, slots=True)
class ListedClaim:
    claim: Claim
    card: Card | None
    """Whose wrong answer it speaks against, where this person may see it."""
    wrong: WrongAnswer | None


@dataclass(frozen=True, slots=True)
class Listed:
    """One experiment in the list."""

    experiment: Experiment
    line: str
    """What it is about, in one sentence."""
    takes: str
    """ "40 s"; "" where that is not known."""
    last: Run | None
    """The newest run of it that was measured."""
    verdict: str
    """What that one decided, in short."""


def experiment_context(person: User, shown: Experiment) -> dict[str, Any]:
    mine = Run.objects.visible_to(person).of_experiment(shown.id)
    runs = [judged_run(person, shown, run) for run in mine.listed()[:NEWEST]]
    spec = spec_of(shown)
    return {
        "experiment": shown,
        "claims": [ListedClaim(one, *against(person, one)) for one in shown.claims],
        "cards": content.cards_of(person, shown),
        "runs": runs,
        "has_verdicts": any(one.judged for one in runs),
        "history": history(person, shown),
        "spec": spec,
        "takes": takes(spec),
        "manual": manual_rows(shown),
    }


def judged_run(person: User, shown: Experiment, run: Run) -> JudgedRun:
    departs = bool(departures(shown, run.asked))
    decides = run.is_over and not departs
    found = judged(person, shown, run.figures) if decides else []
    return JudgedRun(run, found, departs)


def spec_of(shown: Experiment) -> Spec | None:
    """What its form sends when nothing is changed in it; None when that is refused."""
    form = RunForm(content.load_of(shown), shown)
    return form.spec(None) if form.is_valid() else None


def takes(spec: Spec | None) -> str:
    if spec is None:
        return ""
    try:
        return duration(Run.objects.allowed(spec).seconds)
    except LabError:
        return ""


def all_listed(person: User) -> list[Listed]:
    written = [shown for shown in content.experiments() if shown.written]
    last = last_runs(person, written)
    return [listed(person, shown, last.get(shown.id)) for shown in written]


def listed(person: User, shown: Experiment, last: Run | None) -> Listed:
    return Listed(
        experiment=shown,
        line=first_sentence(shown.intro.markdown),
        takes=takes(spec_of(shown)),
        last=last,
        verdict=in_short(judged(person, shown, last.figures)) if last else "",
    )


def last_runs(person: User, shown: Iterable[Experiment]) -> Mapping[str, Run]:
    """The newest measured run of each experiment, by its id."""
    by_id = {one.id: one for one in shown}
    mine = Run.objects.visible_to(person).defer("report")
    over = mine.filter(spec__experiment__in=list(by_id), status__in=Status.over())
    found: dict[str, Run] = {}
    for run in over.filter(figures__isnull=False)[:LOOKED_AT]:
        name = run.spec["experiment"]
        if name not in found and not departures(by_id[name], run.asked):
            found[name] = run
    return found


def first_sentence(markdown: str) -> str:
    """Of the first paragraph, without markup."""
    text = plain_text(markdown.strip().split("\n\n")[0])
    ends = [at for mark in ".?!" if (at := text.find(f"{mark} ")) >= 0]
    return text[: min(ends) + 1] if ends else text
