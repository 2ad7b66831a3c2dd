"""What a run of an experiment asks for: the experiment's own loads, nothing else."""

from django.conf import settings

from interview.cards.experiment import Experiment

from .. import content
from ..runs.presets import Preset
from ..runs.spec import Spec


def experiment_spec(chosen: Experiment, size: Preset | None) -> Spec:
    """`size` is one of several that the experiment has; None is the whole."""
    loads = content.loads_of(chosen)
    if not chosen.by_users:
        return Spec.of_loads(loads, repeat=chosen.repetitions, experiment=chosen.id)
    if chosen.gathers:
        return gathering_spec(chosen)
    if size:
        levels, repeat = size.levels, size.repeat
        requests = list(size.requests) if size.requests else None
    else:
        levels, repeat = chosen.users, chosen.repetitions
        requests = [load["requests"] for load in loads]
    return Spec(
        prompt="",
        source="length",
        prompt_tokens=chosen.prompt_tokens,
        max_tokens=chosen.output_tokens,
        levels=list(levels),
        repeat=repeat,
        requests=requests,
        fresh_prompt=chosen.loads[0].fresh,
        experiment=chosen.id,
    )


def gathering_spec(chosen: Experiment) -> Spec:
    """Up to the experiment’s streams, or to what this lab allows at once; one alone
    is no gathering."""
    most = max(2, min(chosen.users[-1], settings.LAB_MAX_USERS))
    return Spec(
        prompt="",
        source="length",
        prompt_tokens=chosen.prompt_tokens,
        max_tokens=chosen.output_tokens,
        levels=list(chosen.users[:most]),
        requests=None,
        experiment=chosen.id,
        gathers=True,
    )
