"""What the lab's templates get, from the database and the content."""

import json
from dataclasses import dataclass
from functools import partial
from textwrap import shorten
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.text import Truncator

from interview.accounts.models import User
from interview.cards.card import Card
from interview.cards.experiment import Experiment

from . import content
from .errors import LabError
from .forms import RunForm
from .limits import limit_at, limit_of, mean_context
from .load_result import LoadResult
from .models import Prediction, Run, Worker
from .presets import PRESETS, Preset
from .result import Compared, Result
from .spec import Spec

RECENT = 10
TITLE_LENGTH = 60


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
        "runs": list(runs.listed()[:RECENT]),
        "offers": offers(),
        "caps": {
            "prompt_tokens": settings.LAB_MAX_PROMPT_TOKENS,
            "max_tokens": settings.LAB_MAX_TOKENS,
            "users": settings.LAB_MAX_USERS,
            "seconds": settings.LAB_MAX_SECONDS,
            "run_seconds": settings.LAB_MAX_RUN_SECONDS,
            "queued": settings.LAB_MAX_QUEUED_PER_PERSON,
        },
    }


@dataclass(frozen=True, slots=True)
class Offer:
    """A preset as the form shows it."""

    preset: Preset
    expected: str
    """How long it will take, or why this lab does not allow it."""


def offers() -> list[Offer]:
    found = []
    for preset in PRESETS.values():
        form = RunForm({"load": preset.name})
        said = expected(form.spec(None)) if form.is_valid() else first_error(form)
        found.append(Offer(preset, said))
    return found


def expected(spec: Spec) -> str:
    """How long a run takes and how that is known, or why it would be refused."""
    try:
        return Run.objects.allowed(spec).sentence
    except LabError as refused:
        return str(refused)


def first_error(form: RunForm) -> str:
    return next(str(errors[0]) for errors in form.errors.values())


def load_context(run: Run) -> dict[str, Any]:
    """What the page of a load gets besides `run_context`."""
    asked, points = run.asked, content.measured_points()
    tokens = mean_context(asked.prompt_tokens_at_most, asked.max_tokens)
    level_limit = partial(limit_at, run)
    return {
        "load": LoadResult.of(run.report, asked, level_limit) if run.report else None,
        "points": points.rows if points else (),
        "limits": {users: level_limit(users, tokens) for users in asked.levels},
        "expectation": None if run.is_over else Run.objects.expect(asked),
    }


def run_context(run: Run) -> dict[str, Any]:
    report = None if run.asked.is_load else run.report
    result = Result.of(report) if report else None
    predictions = list(run.predictions.select_related("person").order_by("pk"))
    card, extra_body = (
        content.card(run.owner, run.asked.card or ""),
        run.spec.get("extra_body"),
    )
    return {
        "run": run,
        "asked": run.asked,
        "title": run_title(run.asked, card),
        "extra_body": json.dumps(extra_body, ensure_ascii=False) if extra_body else "",
        "card": card,
        "experiment": content.experiment(run.asked.experiment or ""),
        "result": result,
        "limit": limit_of(run, result),
        "place": run.place(),
        "worker": Worker.objects.alive(timezone.now()).exists(),
        "predictions": predictions,
        "compared": compared(predictions, result),
    }


def run_title(asked: Spec, card: Card | None) -> str:
    """What a run asked, short enough for a heading."""
    if asked.prompt_tokens:
        plural = "" if asked.prompt_tokens == 1 else "s"
        return f"{asked.prompt_tokens:,} made-up token{plural}"
    if card:
        return card.title_text
    words = shorten(asked.prompt, TITLE_LENGTH, placeholder="…")
    # A text without spaces, as Chinese is written, has no word that would fit.
    return words if words != "…" else Truncator(asked.prompt).chars(TITLE_LENGTH)


def compared(predictions: list[Prediction], result: Result | None) -> list[Compared]:
    """Predictions beside measurements; empty while there is no result."""
    if result is None:
        return []
    return [
        result.compare(made.get_metric_display(), made.metric, made.value)
        for made in predictions
    ]


def page_context(run: Run) -> dict[str, Any]:
    """Of the page of any run."""
    context = run_context(run)
    return context | load_context(run) if run.asked.is_load else context
