"""What a run of an experiment asks for, and what the measuring client is told."""

from interview.lab import content
from interview.lab.endpoint import Endpoint
from interview.lab.form.experiment_spec import gathering_spec
from interview.lab.measuring.worker import order
from interview.lab.runs.spec import Spec


def asked_of(experiment):
    if experiment.gathers:
        return gathering_spec(experiment)
    about = {"repeat": experiment.repetitions, "experiment": experiment.id}
    loads = content.loads_of(experiment)
    if not experiment.by_users:
        return Spec.of_loads(loads, **about)
    return Spec(
        "",
        source="length",
        prompt_tokens=experiment.prompt_tokens,
        max_tokens=experiment.output_tokens,
        levels=[load["users"] for load in loads],
        requests=[load["requests"] for load in loads],
        **about,
    )


def fields_of(experiment, url="http://spark", model="a-model"):
    return order(asked_of(experiment), Endpoint(url, model, "DGX Spark", True))
