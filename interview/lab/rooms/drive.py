"""What the run of a step asks for: the step's own, with what its driver may choose."""

from collections.abc import Mapping
from typing import Any

from .. import content
from ..errors import LabError
from ..form.forms import RunForm
from ..models import Kind, Step
from ..runs.spec import NOT_KEPT, Spec

FREE_PROMPT = (
    "Explain in a few sentences what an inference engine does between the arrival of "
    "a request and its first token."
)
IMPORTED = "An imported result cannot be run again here: it was measured elsewhere."


def drive_form(step: Step, posted: Mapping[str, Any] | None = None) -> RunForm | None:
    """The form of whoever drives; None of a run that was measured before."""
    if step.run_id:
        return None
    experiment = content.experiment(step.experiment)
    if experiment:
        initial = content.load_of(experiment)
        return RunForm(fixed(posted, initial), experiment, initial=initial)
    own = {"source": "text", "card": ""}
    if step.card:
        own = {"source": "card", "card": step.card, "prompt_tokens": ""}
    own |= {"load": "", "experiment": ""}
    initial = {"freshness": "fresh", "prompt": FREE_PROMPT, **own}
    return RunForm(fixed(posted, own), initial=initial)


def fixed(
    posted: Mapping[str, Any] | None, own: Mapping[str, str]
) -> dict[str, Any] | None:
    """What was posted, but for what the step itself decides."""
    if posted is None:
        return None
    sizes = {"load": posted["load"]} if own.get("load") and "load" in posted else {}
    return {**dict(posted.items()), **own, **sizes}


def spec_of(step: Step, form: RunForm | None) -> Spec:
    """Of a valid form; raises LabError when the step cannot be run."""
    if step.run:
        if step.run.kind == Kind.IMPORTED:
            raise LabError(IMPORTED)
        if step.run.asked.is_forgotten:
            raise LabError(NOT_KEPT)
        return step.run.asked
    card = content.card(None, step.card)
    if step.card and card is None:
        raise LabError("This card is no longer there, so it cannot be sent.")
    assert form is not None
    return form.spec(content.question_of(card))
