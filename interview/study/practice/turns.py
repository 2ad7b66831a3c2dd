"""What one does at a step, each in one transaction and once, however often it is sent.

Every function answers with a sentence: why nothing was done, or "" when it was, or had
been already just so.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from interview.cards.card import Card
from interview.cards.library import Library
from interview.recall.grade import Grade

from ..models import (
    Act,
    ActKind,
    Answer,
    Attempt,
    CardMark,
    Plan,
    Session,
    SessionStep,
)
from ..models.act import TAKEN_BACK
from ..models.act_kind import MARKS
from ..models.acts import hold
from ..models.attempt import as_kept
from .opening import come_back
from .step_state import StepState, card_of
from .walk import graded_at, in_order

FIRST_KEPT = "The answer was open already, so your first text was kept."
SHUT = "The answer is not open yet. Open it, then grade yourself."


@transaction.atomic
def reveal(step: SessionStep, card: Card, plan: Plan, at: str, now: datetime) -> str:
    """Open what comes after `at`; returns the stage to show, not a sentence."""
    hold(plan.user)
    step.refresh_from_db()
    state = StepState.of(step, card, plan, now)
    after = state.walk.after(at) if state.is_open(at) else None
    if after is None:
        return state.furthest
    order = in_order(card)
    reached = order.index(step.stage) if step.stage in order else -1
    if order.index(after) > reached:
        step.reach(after, now)
    return after


@transaction.atomic
def attempt(state: StepState, rung_id: str, text: str, now: datetime) -> str:
    """Keep what was typed, as long as the answer is not open; then only the first."""
    step = state.step
    hold(step.session.user)
    stages = state.walk.stages
    here = next(
        (s for s in stages if graded_at(s) == rung_id and state.is_open(s)), None
    )
    kept = Attempt.objects.filter(step=step, rung_id=rung_id).first()
    if here and kept:
        return "" if as_kept(text) in ("", kept.text) else FIRST_KEPT
    Attempt.objects.keep(step, rung_id, text, now)
    return ""


def grade(
    step: SessionStep,
    card: Card,
    plan: Plan,
    rung_id: str,
    given: Grade,
    turn: int,
    now: datetime,
) -> str:
    with transaction.atomic():
        hold(plan.user)
        step.refresh_from_db()
        state = StepState.of(step, card, plan, now)
        refusal = _refusal(state, rung_id, given, turn)
        if refusal is not None:
            return refusal
        is_first = rung_id == step.rung_id
        answer = Answer(
            card,
            rung_id,
            given,
            turn,
            confidence=step.confidence if is_first else "",
            took_ms=step.took_ms if is_first else None,
        )
        act, is_new = Act.objects.grade(plan, step, answer, now)
        if is_new and StepState.of(step, card, plan, now).walk.is_over:
            finish(step, now)
    return "" if is_new or act.grade == given else act.already


def _refusal(state: StepState, rung_id: str, given: Grade, turn: int) -> str | None:
    """None when the grade can be given; "" when it was given just so."""
    standing = state.grades.get(rung_id)
    if standing:
        return "" if standing.grade == given else standing.already
    open_stages = [s for s in state.walk.stages if state.is_open(s)]
    if rung_id not in [graded_at(stage) for stage in open_stages]:
        return SHUT
    if turn != state.turn(rung_id):
        return TAKEN_BACK
    return None


def finish(step: SessionStep, now: datetime) -> None:
    """The step is done; what is due again by now is put at the end, and a session in
    which nothing is left has ended. Runs inside the caller's transaction."""
    step.finish(now)
    session = step.session
    session.append([(i.card_id, i.rung_id) for i in come_back(session, now)])
    if session.open_step() is None:
        session.end(now)


@transaction.atomic
def skip(step: SessionStep, now: datetime) -> str:
    hold(step.session.user)
    step.refresh_from_db()
    if step.done_at is None:
        Act.objects.skip(step, now)
        finish(step, now)
    return ""


@transaction.atomic
def pass_by(step: SessionStep, now: datetime) -> str:
    """Leave a step whose card left the content; there is nothing to take back."""
    hold(step.session.user)
    step.pass_by(now)
    finish(step, now)
    return ""


@transaction.atomic
def go_on(
    session: Session, plan: Plan, library: Library, now: datetime
) -> SessionStep | None:
    """The step to show; None at the end.

    A walk can also end without a grade, as when the plan's level was lowered, or a rung
    was graded elsewhere: such a step is done here.
    """
    hold(session.user)
    while step := session.open_step():
        step.session = session
        card = card_of(step, library)
        if card is None or not StepState.of(step, card, plan, now).walk.is_over:
            return step
        finish(step, now)
    return None


@transaction.atomic
def mark(step: SessionStep, kind: ActKind, now: datetime) -> str:
    """Flag or suspend the step's card, or take that back."""
    person = step.session.user
    hold(person)
    field, value = MARKS[kind]
    mine = CardMark.objects.filter(user=person, card_id=step.card_id)
    if mine.filter(**{field: True}).exists() != value:
        Act.objects.mark(person, step.card_id, kind, now, step)
        if kind is ActKind.SUSPEND:
            finish(step, now)
    return ""


@transaction.atomic
def change(
    step: SessionStep,
    card: Card,
    plan: Plan,
    rung_id: str,
    kind: ActKind,
    now: datetime,
) -> str:
    """Keep or reset a changed item; not twice for the same text."""
    hold(plan.user)
    item = StepState.of(step, card, plan, now).changed(rung_id)
    if item:
        Act.objects.change(plan, step, card, rung_id, kind, now)
    return ""


@transaction.atomic
def undo(act: Act, now: datetime) -> str:
    """Take back the newest act of its session, and steps that followed from it."""
    hold(act.user)
    newest = newest_act(act.session_id)
    if Act.objects.filter(undoes=act).exists():
        return "That was taken back already."
    if newest != act:
        return "Something else was done since, in another window. Take that back first."
    Act.objects.undo(act, now)
    if act.step and act.kind in (ActKind.GRADE, ActKind.SKIP):
        later = act.step.session.steps.filter(
            card_id=act.card_id, position__gt=act.step.position, asked_at=None
        )
        later.delete()
    return ""


def newest_act(session_id: UUID | None) -> Act | None:
    """The one that an undo would take back."""
    acts = Act.objects.standing().filter(session=session_id)
    return acts.select_related("step__session").order_by("at", "id").last()
