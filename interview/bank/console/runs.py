"""Runs of the lab at a question: those attached to it, and those that may be."""

from dataclasses import dataclass

from interview.accounts.models import User
from interview.lab import content
from interview.lab.models import Run, Status
from interview.lab.pages import run_title

from ..models import Asked, Evidence
from .desk import Desk

MOST_OFFERED = 20


@dataclass(frozen=True, slots=True)
class Offered:
    run: Run
    title: str


@dataclass(frozen=True, slots=True)
class Attached:
    evidence: Evidence
    title: str
    is_shown: bool
    """To the candidate, now."""


def attachable(person: User, asked: Asked) -> list[Offered]:
    """The newest runs that a person may see, which are over and not attached to it."""
    attached = asked.evidence.values("run")
    mine = Run.objects.visible_to(person).filter(status__in=Status.over())
    newest = mine.exclude(pk__in=attached).defer("report").order_by("-created_at")
    return [Offered(run, title_of(run, person)) for run in newest[:MOST_OFFERED]]


def attached_to(desk: Desk) -> list[Attached]:
    rows = desk.asked.evidence.select_related("run", "attached_by")
    reader, now_shown = desk.scorecard.interviewer, desk.interview.evidence_now_id
    return [
        Attached(each, title_of(each.run, reader), each.pk == now_shown)
        for each in rows.defer("run__report")
    ]


def title_of(run: Run, reader: User) -> str:
    asked = run.asked
    card = content.card(reader, asked.card or "")
    return run_title(asked, card, content.experiment(asked.experiment or ""))
