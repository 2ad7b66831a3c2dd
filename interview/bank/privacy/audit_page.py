"""The audit log of one interview in words. Knows no request.

The log has ids alone; who and what they are is looked up when it is read, so a name
that is gone is gone here, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from interview.accounts.models import User
from interview.lab.models import Run

from ..models import AuditEntry, Evidence, Interview, KitQuestion, Verb

ENTRIES_A_PAGE = 100
SAID = {
    Verb.PLANNED: "planned the interview",
    Verb.CHANGED: "changed candidate, day or panel",
    Verb.ENDED: "ended the interview",
    Verb.LINKED: "made a link for the candidate",
    Verb.REVOKED: "revoked the candidate’s link",
    Verb.JOINED: "took a seat",
    Verb.SAW_SCORES: "read others’ scores and notes",
    Verb.SUBMITTED: "submitted a scorecard",
    Verb.REVISED: "revised a submitted scorecard",
    Verb.EXPORTED: "exported scores",
    Verb.ATTACHED: "attached a run",
    Verb.VOIDED: "voided a question, or took that back",
    Verb.ANONYMISED: "anonymised the interview",
    Verb.DELETED: "deleted the interview",
}
NOBODY = {Verb.JOINED: "the candidate", Verb.DELETED: "this installation"}
"""Who acts without an account."""
LEFT = "somebody who left"
GONE = "no longer there"


@dataclass(frozen=True, slots=True)
class Line:
    at: datetime
    who: str
    did: str
    to: str
    """Blank for the interview as a whole."""


@dataclass(frozen=True, slots=True)
class AuditPage:
    lines: list[Line]
    """Oldest first."""
    page: "Page[AuditEntry]"

    @classmethod
    def of(
        cls,
        interview: Interview | None,
        entries: "QuerySet[AuditEntry]",
        number: str | None,
    ) -> Self:
        """`interview` None when it is deleted."""
        page = Paginator(entries, ENTRIES_A_PAGE).get_page(number)
        shown = list(page)
        people = User.objects.in_bulk({each.actor_id for each in shown})
        objects = _objects(interview, shown) if interview else {}
        return cls([_line(each, people, objects) for each in shown], page)


def _line(
    entry: AuditEntry, people: dict[UUID, User], objects: dict[UUID, str]
) -> Line:
    verb = Verb(entry.verb)
    if entry.actor_id is None:
        who = NOBODY.get(verb, "nobody")
    else:
        who = people[entry.actor_id].name if entry.actor_id in people else LEFT
    key = entry.object_id
    return Line(entry.at, who, SAID[verb], objects.get(key, GONE) if key else "")


def _objects(interview: Interview, entries: Iterable[AuditEntry]) -> dict[UUID, str]:
    """Words for each object that is there still."""
    keys = {each.object_id for each in entries if each.object_id}
    if not keys:
        return {}
    cards = interview.scorecards.select_related("interviewer")
    evidence = interview.evidence.select_related("run", "asked__question")
    questions = KitQuestion.objects.filter(version=interview.version_id)
    return (
        {each.pk: f"run {each.slug}" for each in Run.objects.filter(pk__in=keys)}
        | {each.pk: f"of {each.interviewer.name}" for each in cards}
        | {each.pk: _run_at(each) for each in evidence}
        | {each.pk: f"question {each.position}" for each in questions}
        | {each.pk: "" for each in interview.links.all()}
        | {each.pk: "" for each in interview.seats.all()}
        | {interview.pk: ""}
    )


def _run_at(evidence: Evidence) -> str:
    return f"run {evidence.run.slug} at question {evidence.asked.question.position}"
