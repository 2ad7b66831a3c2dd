"""What the lab's templates get, from the database and the content."""

from typing import Any

from django.conf import settings
from django.utils import timezone

from interview.accounts.models import User
from interview.cards.experiment import Experiment

from . import content
from .forms import RunForm
from .models import Prediction, Run, Worker
from .result import Compared, Result

RECENT = 10


def lab_context(
    person: User, form: RunForm, chosen: Experiment | None
) -> dict[str, Any]:
    runs = Run.objects.visible_to(person)
    return {
        "form": form,
        "card": content.card(person, form["card"].value() or ""),
        "cards": content.cards(person),
        "experiment": chosen,
        "experiments": content.experiments(),
        "runs": runs[:RECENT],
        "caps": {
            "prompt_tokens": settings.LAB_MAX_PROMPT_TOKENS,
            "max_tokens": settings.LAB_MAX_TOKENS,
            "users": settings.LAB_MAX_USERS,
            "seconds": settings.LAB_MAX_SECONDS,
            "queued": settings.LAB_MAX_QUEUED_PER_PERSON,
        },
    }


def run_context(run: Run) -> dict[str, Any]:
    result = Result.of(run.report) if run.report else None
    predictions = list(run.predictions.select_related("person").order_by("pk"))
    return {
        "run": run,
        "asked": run.asked,
        "card": content.card(run.owner, run.asked.card or ""),
        "experiment": content.experiment(run.asked.experiment or ""),
        "result": result,
        "place": run.place(),
        "worker": Worker.objects.alive(timezone.now()).exists(),
        "predictions": predictions,
        "compared": compared(predictions, result),
    }


def compared(predictions: list[Prediction], result: Result | None) -> list[Compared]:
    """Predictions beside measurements; empty while there is no result."""
    if result is None:
        return []
    return [
        result.compare(made.get_metric_display(), made.metric, made.value)
        for made in predictions
    ]
