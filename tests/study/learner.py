"""Somebody who practised: a bit of everything that study keeps, in the real content."""

from datetime import UTC, datetime, timedelta

from django.db.models import F

from interview.accounts.models import User
from interview.recall.grade import Grade
from interview.study.item_name import SPOT_THE_FLAW
from interview.study.models import (
    Act,
    ActKind,
    Answer,
    Attempt,
    CardMark,
    Item,
    Plan,
    Session,
    SessionStep,
)
from interview.web.content import library

NOW = datetime(2026, 11, 30, 9, 0, 0, 123456, tzinfo=UTC)


def learner(name="ada"):
    """A plan, an ended session and an open mock, every kind of act, undos, notes."""
    person = User.objects.create(name=name, password="!", time_zone="Europe/Oslo")
    plan = Plan.objects.create(
        user=person,
        interview_on=NOW.date() + timedelta(days=20),
        role="inference-engineering",
        level="L3",
        new_cap=0,
        retention=0.85,
    )
    practise(plan)
    mock = Session.objects.create(
        user=person, kind="mock", seed=2**62, level="L2", minutes=45, started_at=NOW
    )
    SessionStep.objects.create(
        session=mock, position=1, card_id="gone-card", minutes=9, said="more same"
    )
    return person


def practise(plan):
    person, cards = plan.user, list(library().cards.values())[:4]
    session = Session.objects.create(
        user=person,
        kind="practice",
        query="?topic=kv-cache",
        started_at=NOW,
        ended_at=NOW + timedelta(hours=1),
    )
    steps = [
        SessionStep.objects.create(
            session=session,
            position=at,
            card_id=card.id,
            stage="answer:first",
            confidence="unsure",
            asked_at=NOW,
        )
        for at, card in enumerate(cards, start=1)
    ]
    for day, (card, step) in enumerate(zip(cards, steps, strict=True)):
        climb(plan, step, card, NOW + timedelta(days=day))
    first, card = steps[0], cards[0]
    later = NOW + timedelta(days=9)
    Act.objects.change(plan, first, card, "", ActKind.KEEP, later)
    Act.objects.change(plan, None, cards[1], "", ActKind.RESET, later)
    Act.objects.skip(steps[3], later)
    for kind in (ActKind.FLAG, ActKind.SUSPEND):
        Act.objects.mark(person, card.id, kind, later, first)
    Act.objects.mark(person, cards[2].id, ActKind.FLAG, later)
    CardMark.objects.filter(user=person, card_id=card.id).update(
        note="=1+1 “ä”\n\tmine 🙂", note_revision=3, noted_at=later
    )
    Attempt.objects.create(
        user=person, step=first, card_id=card.id, text="I would say\r\n…", at=NOW
    )
    Attempt.objects.create(user=person, card_id="x", rung_id="y", text="-", at=NOW)
    Attempt.objects.create(
        user=person,
        step=first,
        card_id=card.id,
        rung_id=SPOT_THE_FLAW,
        text="no",
        at=NOW,
    )


def climb(plan, step, card, at):
    """Solid up two rungs, then Partly; the first answer was a slip, taken back."""
    answer = Answer(card, "", Grade.MISSED, 0, "guess", 4200)
    slip, _ = Act.objects.grade(plan, step, answer, at)
    Act.objects.undo(slip, at)
    rungs = ["", *(rung.id for rung in card.follow_ups)][:3]
    for rung, grade in zip(
        rungs, [Grade.SOLID, Grade.SOLID, Grade.PARTLY], strict=True
    ):
        turn = 0 if rung else 1
        Act.objects.grade(plan, step, Answer(card, rung, grade, turn), at)


def everything_of(person):
    """Every column of every table; a step by its session and position instead of the
    number that the database gave it, and no number of an item."""
    found = {}
    for model in (Plan, Session, SessionStep, Act, Attempt, CardMark, Item):
        owner = "session__user" if model is SessionStep else "user"
        names = [
            field.attname
            for field in model._meta.concrete_fields
            if field.name not in ("step",) or model not in (Act, Attempt)
        ]
        if model in (SessionStep, Item):
            names.remove("id")
        rows = model.objects.filter(**{owner: person})
        if model in (Act, Attempt):
            names += ["in_session", "at_position"]
            rows = rows.annotate(
                in_session=F("step__session_id"), at_position=F("step__position")
            )
        found[model.__name__] = sorted(rows.values_list(*names), key=repr)
    return found


def tables_of_people(app):
    return {
        model
        for model in app.get_models()
        if not model._meta.proxy
        and any(field.name == "user" for field in model._meta.concrete_fields)
    }
