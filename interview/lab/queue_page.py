"""What the page of the queue gets: its runs in their order, and one's own budget."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from interview.accounts.models import User

from .endpoint import Endpoint
from .models import Run, Worker
from .runs.budget import Budget
from .runs.expectation import duration
from .runs.turns import Turn, about_s


@dataclass(frozen=True, slots=True)
class Row:
    """One run of the queue as one person may see it."""

    run: Run
    is_visible: bool
    """Else nothing of it may be shown but its time."""
    may_stop: bool
    place: int | None
    """None of the one that runs."""
    when: str
    """Until it starts or ends; "" when nobody knows."""

    @property
    def takes(self) -> str:
        expected_s = self.run.expected_s
        return f"about {duration(about_s(expected_s))}" if expected_s else ""


def queue_context(person: User, now: datetime) -> dict[str, Any]:
    return {
        "rows": rows(person, now),
        "worker": Worker.objects.alive(now).exists(),
        "budget": budget_words(Run.objects.budget(person, now)),
        "cooldown_s": settings.LAB_COOLDOWN_SECONDS,
    }


def rows(person: User, now: datetime) -> list[Row]:
    """The run that runs, then those that wait, next first."""
    turns = Run.objects.line(now)
    here = Run.objects.filter(endpoint=Endpoint.current().name).defer("report")
    running = here.running().first()
    waiting = here.queued().in_bulk([turn.run for turn in turns])
    shown = [(running, None)] if running else []
    # One may have started since the turns were read.
    both = shown + [(waiting[t.run], t) for t in turns if t.run in waiting]
    runs = Run.objects.filter(pk__in=[run.pk for run, _ in both])
    visible = set(runs.visible_to(person).values_list("pk", flat=True))
    stoppable = set(runs.stoppable_by(person).values_list("pk", flat=True))
    is_alive = Worker.objects.alive(now).exists()
    return [
        Row(
            run,
            run.pk in visible,
            run.pk in stoppable,
            turn.place if turn else None,
            when(run, turn, now) if is_alive else "",
        )
        for run, turn in both
    ]


def when(run: Run, turn: Turn | None, now: datetime) -> str:
    if turn is None:
        return f"about {duration(about_s(run.left_s(now)))} left"
    return f"in about {duration(turn.about_s)}" if turn.about_s else "now"


def budget_words(budget: Budget) -> str:
    """ "" without a budget."""
    if not budget.cap_s:
        return ""
    used = duration(budget.used_s) if budget.used_s else "nothing"
    coming = f", and {duration(budget.coming_s)} are to come" if budget.coming_s else ""
    return (
        f"Of the {duration(budget.cap_s)} that each person may measure in any 24 hours "
        f"you have used {used}{coming}."
    )
