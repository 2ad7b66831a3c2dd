"""How a session begins and grows: which cards it asks, and those it asks again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from uuid import UUID

from django.db import transaction
from fsrs import State

from interview.accounts.models import User
from interview.cards.card import Audience, Card
from interview.cards.library import Library

from ..models import Act, CardMark, Item, Plan, Session, SessionKind, SessionStep
from ..models.acts import hold
from ..stage import rung_of

SMALL = 5
"""Cards of a small set."""
Place = tuple[str, str]
"""A card and the rung where its step begins; "" for the question."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What was chosen before the start. The same `id` twice is the same session."""

    id: UUID
    query: str = ""
    seed: int = 0
    shuffles: bool = False
    takes_attempts: bool = False
    shows_clock: bool = True


@transaction.atomic
def begin(
    person: User, opening: Opening, places: Sequence[Place], now: datetime
) -> Session:
    hold(person)
    session, is_new = Session.objects.get_or_create(
        id=opening.id,
        defaults={
            "user": person,
            "kind": SessionKind.PRACTICE,
            "query": opening.query,
            "seed": opening.seed,
            "takes_attempts": opening.takes_attempts,
            "shows_clock": opening.shows_clock,
            "started_at": now,
        },
    )
    if is_new:
        order = list(places)
        if opening.shuffles:
            Random(opening.seed).shuffle(order)
        session.append(order)
    return session


def not_suspended(person: User, cards: Iterable[Card]) -> list[Card]:
    suspended = CardMark.objects.suspended(person)
    return [card for card in cards if card.id not in suspended]


def askable(person: User, library: Library) -> list[Card]:
    return not_suspended(person, library.listed(Audience.CANDIDATE))


def small_set(plan: Plan, library: Library, now: datetime) -> list[Place]:
    """A few cards beyond today's: new ones first, then those due soonest.

    Those that were asked today are left alone.
    """
    roles = [plan.role] if plan.role else []
    listed = library.listed(Audience.CANDIDATE, roles=roles)
    begin_of_day = plan.days.begin(plan.today(now))
    acts = Act.objects.of(plan.user).grades().filter(at__gte=begin_of_day)
    today = set(acts.values_list("card_id", flat=True))
    cards = [c for c in not_suspended(plan.user, listed) if c.id not in today]
    items = Item.objects.of(plan.user).filter(rung_id="")
    due = dict(items.values_list("card_id", "natural_due_at"))
    new = [card for card in cards if card.id not in due]
    old = sorted(
        (card for card in cards if card.id in due), key=lambda card: due[card.id]
    )
    return [(card.id, "") for card in (new + old)[:SMALL]]


def come_back(session: Session, until: datetime) -> list[Item]:
    """What was graded here, must be learned again, and is due by `until`; no more than
    one of a card, and none of a card that is still to be asked or was skipped since."""
    acts = Act.objects.standing().grades().filter(session=session)
    graded = set(acts.values_list("card_id", "rung_id"))
    items = Item.objects.of(session.user).filter(
        state__in=(State.Learning, State.Relearning),
        due_at__lte=until,
        card_id__in={card_id for card_id, _ in graded},
    )
    waiting = set(session.steps.filter(done_at=None).values_list("card_id", flat=True))
    left_out = waiting | CardMark.objects.suspended(session.user)
    left_out |= {step.card_id for step in skipped(session)}
    found: dict[str, Item] = {}
    for item in items.order_by("due_at", "rung_id"):
        if (item.card_id, item.rung_id) in graded and item.card_id not in left_out:
            found.setdefault(item.card_id, item)
    return list(found.values())


def skipped(session: Session) -> list[SessionStep]:
    """Skipped, and no later step of the session asks its card."""
    last = {step.card_id: step for step in session.steps.all()}
    return [step for step in last.values() if step.skipped_at is not None]


def left_for_later(session: Session, library: Library) -> list[Place]:
    """What was skipped and can still be asked: from where one was."""
    steps = skipped(session)
    found = [library.visible(step.card_id, Audience.CANDIDATE) for step in steps]
    cards = not_suspended(session.user, [card for card in found if card])
    rungs = {card.id: {"", *(rung.id for rung in card.follow_ups)} for card in cards}
    places = [(step.card_id, rung_of(step.stage) or step.rung_id) for step in steps]
    return [(card, rung) for card, rung in places if rung in rungs.get(card, ())]


def end_of_today(plan: Plan, now: datetime) -> datetime:
    return plan.days.end(plan.today(now))


@transaction.atomic
def ask_again(session: Session, plan: Plan, library: Library, now: datetime) -> None:
    """Go on: with what was not asked, then what was skipped, and what comes back today,
    without waiting for it."""
    hold(session.user)
    places = left_for_later(session, library)
    taken = {card_id for card_id, _ in places}
    for item in come_back(session, end_of_today(plan, now)):
        if item.card_id not in taken:
            places.append((item.card_id, item.rung_id))
    session.append(places)
    if session.open_step():
        session.reopen()
