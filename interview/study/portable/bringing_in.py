"""Adds what a file has and the person has not: all of it, or nothing."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from interview.accounts.models import User
from interview.web.models import CardVersion

from ..models import Act, ActKind, Attempt, CardMark, Plan, Session, SessionStep
from ..models.act_kind import MARKS as ACTS_ON_MARKS
from ..models.act_kind import ON_ITEMS
from ..models.acts import hold
from ..models.rebuild import rebuild_all
from .difference import Difference, difference
from .kinds import ACTS, ATTEMPTS, MARKS, PLANS, SESSIONS, STEPS, VERSIONS
from .reading import Document

AT_ONCE = 1000


class Changed(Exception):
    """What would be added is not what was shown any more."""


def bring_in(document: Document, person: User, digest: str) -> Difference:
    """`digest` is that of the difference which the person has seen.

    Raises Changed, and adds nothing, when there is another one by now.
    """
    try:
        with transaction.atomic():
            hold(person)
            found = difference(document, person)
            if found.digest != digest:
                raise Changed
            add(found, person)
    except IntegrityError as error:
        # Somebody else took one of the keys in the same moment.
        raise Changed from error
    return found


def add(found: Difference, person: User) -> None:
    versions = [CardVersion(**row.values) for row in found.part(VERSIONS).new]
    CardVersion.objects.bulk_create(versions, AT_ONCE, ignore_conflicts=True)
    for row in found.part(PLANS).new:
        Plan.objects.create(user=person, **row.values)
    sessions = [Session(user=person, **row.values) for row in found.part(SESSIONS).new]
    Session.objects.bulk_create(sessions, AT_ONCE)
    steps = [step_of(row.values) for row in found.part(STEPS).new]
    SessionStep.objects.bulk_create(steps, AT_ONCE)
    add_to_steps(found, person)
    acts = [row.values for row in found.part(ACTS).new]
    if any(act["kind"] in {*ON_ITEMS, ActKind.UNDO} for act in acts):
        rebuild_all(Act.objects.all(), person)
    kinds = {*ACTS_ON_MARKS, ActKind.UNDO}
    marked = {act["card_id"] for act in acts if act["kind"] in kinds}
    CardMark.objects.follow(Act.objects.of(person), person, marked)


def step_of(row: Mapping[str, Any]) -> SessionStep:
    values = dict(row)
    return SessionStep(session_id=values.pop("session"), **values)


def add_to_steps(found: Difference, person: User) -> None:
    mine = SessionStep.objects.filter(session__user=person)
    keys = {
        (session, position): key
        for session, position, key in mine.values_list("session_id", "position", "pk")
    }

    def placed(row: Mapping[str, Any]) -> dict[str, Any]:
        values = dict(row)
        values["session_id"] = values.pop("session")
        step = (values["session_id"], values.pop("position"))
        return values | {"user": person, "step_id": keys.get(step)}

    acts, attempts = [], []
    for row in found.part(ACTS).new:
        values = placed(row.values)
        values["undoes_id"] = values.pop("undoes")
        acts.append(Act(**values))
    for row in found.part(ATTEMPTS).new:
        values = placed(row.values)
        del values["session_id"]
        attempts.append(Attempt(**values))
    Act.objects.bulk_create(acts, AT_ONCE)
    Attempt.objects.bulk_create(attempts, AT_ONCE)
    marks = [CardMark(user=person, **row.values) for row in found.part(MARKS).new]
    CardMark.objects.bulk_create(marks, AT_ONCE)
