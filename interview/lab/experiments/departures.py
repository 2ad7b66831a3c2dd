"""Where a run asked for something else than its experiment, of which it then says
nothing."""

from dataclasses import asdict

from interview.cards.experiment import Experiment, Load

from .. import content
from ..runs.asked_load import AskedLoad
from ..runs.spec import Spec


def departures(experiment: Experiment, asked: Spec) -> list[str]:
    """In sentences; none for a run of the experiment, or of some of its loads."""
    found = []
    for load in asked.asked_loads:
        meant = experiment.load(load.name)
        if meant is None:
            found.append(f"{load.title}: the experiment has no such load.")
        else:
            found += [f"{load.title}: {said}" for said in differences(load, meant)]
    return found


def differences(load: AskedLoad, meant: Load) -> list[str]:
    told = {
        "prompt tokens": (load.prompt_tokens, meant.prompt_tokens),
        "answer tokens": (load.max_tokens, meant.output_tokens),
        "users": (load.users, meant.users),
    }
    found = [
        f"{here:,} {words} instead of {there:,}."
        for words, (here, there) in told.items()
        if here != there
    ]
    if load.fresh_prompt != meant.fresh:
        found.append(f"{prefix(load)} was sent.")
    if neighbours_of(load) != content.neighbours_of(meant):
        found.append("other neighbours were sent beside its requests.")
    return found


def neighbours_of(load: AskedLoad) -> dict[str, int] | None:
    return asdict(load.neighbours) if load.neighbours else None


def prefix(load: AskedLoad) -> str:
    return "a fresh prompt" if load.fresh_prompt else "the same prompt again"
