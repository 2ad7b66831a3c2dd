"""What the lab's templates get, from the database and the content."""

import json
from dataclasses import dataclass, replace
from functools import partial
from textwrap import shorten
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.text import Truncator

from interview.accounts.models import User
from interview.cards.card import Card
from interview.cards.experiment import Experiment
from interview.web.numbers import counted

from . import content
from .errors import LabError
from .experiments.departures import departures
from .experiments.experiment_page import all_listed, spec_of
from .experiments.judged import in_short, judged
from .experiments.measured_before import doubts, rows_beside
from .experiments.said import Said, all_said
from .form.forms import RunForm
from .models import Kind, Prediction, Run, Worker
from .queue_page import budget_words
from .results.limits import RunLimit, limit_at, limit_of, mean_context
from .results.load_result import LoadResult
from .results.result import Result
from .runs.addresses import Addresses
from .runs.asked_load import AskedLoad
from .runs.presets import PRESETS, Preset
from .runs.snapshot import state_of
from .runs.spec import Spec

RECENT = 10
TITLE_LENGTH = 60


def lab_context(
    person: User, form: RunForm, chosen: Experiment | None
) -> dict[str, Any]:
    runs, now = Run.objects.visible_to(person), timezone.now()
    own_loads = spec_of(chosen) if chosen and form.has_own_loads else None
    return {
        "form": form,
        "card": card_in(person, form),
        "cards": content.cards(person),
        "experiment": chosen,
        "experiments": all_listed(person),
        "runs": list(runs.listed()[:RECENT]),
        "offers": offers(),
        "own_loads": own_loads,
        "expected": expected(own_loads) if own_loads else "",
        "turn": Run.objects.turn_of_next(person, now),
        "has_room": Run.objects.has_room(person),
        "budget": budget_words(Run.objects.budget(person, now)),
        "caps": {
            "prompt_tokens": settings.LAB_MAX_PROMPT_TOKENS,
            "max_tokens": settings.LAB_MAX_TOKENS,
            "users": settings.LAB_MAX_USERS,
            "seconds": settings.LAB_MAX_SECONDS,
            "run_seconds": settings.LAB_MAX_RUN_SECONDS,
            "queued": settings.LAB_MAX_QUEUED_PER_PERSON,
        },
    }


def card_in(person: User, form: RunForm) -> Card | None:
    """The card that the form has chosen."""
    chosen = form["card"].value() if "card" in form.fields else None
    return content.card(person, chosen or "")


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
    asked = run.asked
    experiment = content.experiment(asked.experiment or "")
    level_limit = partial(limit_at, run)
    return {
        "load": LoadResult.of(run.report, asked, level_limit) if run.report else None,
        "points": rows_beside(asked, experiment),
        "doubts": doubts(asked, experiment),
        "limits": {load.name: limit_of_load(run, load) for load in asked.asked_loads},
        "levels_title": levels_title(run),
        "expectation": None if run.is_over else Run.objects.expect(asked),
    }


def levels_title(run: Run) -> str:
    named = run.asked.loads is not None
    if run.is_over:
        return "What each load got" if named else "What the users got"
    return "Loads so far" if named else "Levels so far"


def limit_of_load(run: Run, load: AskedLoad) -> RunLimit:
    context = mean_context(load.prompt_tokens, load.max_tokens)
    return limit_at(run, load.users, context)


def run_context(run: Run, at: Addresses) -> dict[str, Any]:
    """In a room nobody gets more of a card than its title."""
    now = timezone.now()
    asked = for_room(run.asked) if at.room else run.asked
    viewer = None if at.room else run.owner
    state = state_of(run, run.turn(now), worker=Worker.objects.alive(now).exists())
    report = None if asked.is_load else run.report
    result = Result.of(report) if report else None
    own = run.predictions.filter(seat=None).select_related("person")
    predictions = list(own.order_by("pk"))
    card = content.card(viewer, asked.card or "")
    extra_body = run.spec.get("extra_body")
    experiment = content.experiment(asked.experiment or "")
    return {
        "run": run,
        "at": at,
        "asked": asked,
        "title": run_title(asked, card, experiment),
        "extra_body": json.dumps(extra_body, ensure_ascii=False) if extra_body else "",
        "card": None if at.room else card,
        "experiment": experiment,
        "result": result,
        "limit": limit_of(run, result),
        "place": state.place,
        "waits": state.waits,
        "worker": state.worker,
        "predictions": predictions,
        "compared": compared(run, predictions, result),
        **(
            verdict_context(run, experiment, viewer)
            if experiment and run.is_over
            else {}
        ),
    }


def verdict_context(
    run: Run, experiment: Experiment, viewer: User | None
) -> dict[str, Any]:
    """What a run that is over says of its experiment."""
    departed = departures(experiment, run.asked)
    found = [] if departed else judged(viewer, experiment, run.figures)
    return {
        "judged": found,
        "in_short": in_short(found),
        "departures": departed,
        "manual": rows_beside(run.asked, experiment),
        "doubts": doubts(run.asked, experiment),
    }


def for_room(asked: Spec) -> Spec:
    """As everybody in a room may read it: without the question of a card that is not
    for everybody any more."""
    is_hidden = asked.card and content.card(None, asked.card) is None
    return replace(asked, prompt="") if is_hidden else asked


def run_title(asked: Spec, card: Card | None, experiment: Experiment | None) -> str:
    """What a run asked, short enough for a heading."""
    if asked.is_load:
        return load_title_of(asked, experiment)
    if asked.prompt_tokens:
        return counted(asked.prompt_tokens, "made-up token")
    if card:
        return card.title_text
    if not asked.prompt:
        return "A card" if asked.card else "Words that are no longer kept"
    words = shorten(asked.prompt, TITLE_LENGTH, placeholder="…")
    # A text without spaces, as Chinese is written, has no word that would fit.
    return words if words != "…" else Truncator(asked.prompt).chars(TITLE_LENGTH)


def load_title_of(asked: Spec, experiment: Experiment | None) -> str:
    if experiment:
        return experiment.title
    if len(asked.load_names) > 1:
        return f"One server, {len(asked.load_names)} loads"
    return f"{asked.asked_loads[0].title} at the same time"


def compared(
    run: Run, predictions: list[Prediction], result: Result | None
) -> list[Said]:
    """Predictions beside measurements; empty while there is none."""
    figures = result.figures if result else run.figures
    if not run.is_over or not figures:
        return []
    guesses = [prediction.guess for prediction in predictions]
    return all_said(guesses, figures, run.asked.load_names[-1])


def page_context(run: Run, at: Addresses | None = None) -> dict[str, Any]:
    """Of the page of any run; in the lab without other addresses."""
    context = run_context(run, at or Addresses.in_lab(run))
    is_load = run.asked.is_load or run.kind == Kind.IMPORTED
    return context | load_context(run) if is_load else context
