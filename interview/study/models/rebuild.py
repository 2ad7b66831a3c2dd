"""Items made from the log, which is the truth; there is no other way to make one."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import transaction

from interview.cards.card import Card
from interview.recall.grade import Grade
from interview.recall.memory import reviewed
from interview.web.models import CardVersion

from ..item_name import rung_after
from .act_kind import ActKind
from .acts import Acts
from .item import Item

if TYPE_CHECKING:
    from interview.accounts.models import User

    from .act import Act


def rebuild(acts: Acts, person: "User", card_id: str) -> None:
    """Make the items of one card again; what its log does not hold any more goes.

    `acts` is any query of the log. Runs inside the caller's transaction.
    """
    log = list(acts.of(person).on_items().filter(card_id=card_id).standing().in_order())
    stored = Item.objects.select_for_update().filter(user=person, card_id=card_id)
    before = {item.rung_id: item for item in stored}
    after = items_of(log, kept_cards(log))
    for rung_id, item in after.items():
        old = before.pop(rung_id, None)
        item.pk = old.pk if old else None
        if old is None or not old.equals(item):
            item.save(force_insert=old is None)
    stored.filter(rung_id__in=before).delete()


@transaction.atomic
def rebuild_all(acts: Acts, person: "User") -> None:
    """Make all items of a person again."""
    logs: dict[str, list[Act]] = defaultdict(list)
    for act in acts.of(person).on_items().standing().in_order():
        logs[act.card_id].append(act)
    cards = kept_cards(act for log in logs.values() for act in log)
    made = [item for log in logs.values() for item in items_of(log, cards).values()]
    Item.objects.filter(user=person).delete()
    Item.objects.bulk_create(made, batch_size=500)


def items_of(
    log: "Iterable[Act]", cards: Mapping[str, Card | None]
) -> Mapping[str, Item]:
    """The items of one card by rung, not saved, after its standing acts in order.

    `cards` has the versions that the log names.
    """
    items: dict[str, Item] = {}
    for act in log:
        item = items.get(act.rung_id)
        if act.kind == ActKind.GRADE:
            item = item or Item.of_act(act)
            grade = Grade(act.grade)
            memory = reviewed(item.memory, grade, act.at, act.terms, item.name)
            item.remember(memory, grade)
            items[act.rung_id] = item
        elif item is None:
            # What was kept or reset has left the schedule: its grades were undone.
            continue
        elif act.kind == ActKind.RESET:
            item.forget(act.at)
        item.item_hash, item.card_version = act.item_hash, act.card_version
        if act.grade == Grade.SOLID:
            _enter_next(items, act, cards.get(act.card_version))
    return items


def _enter_next(items: dict[str, Item], act: "Act", card: Card | None) -> None:
    """A solid item puts the rung above it into the schedule, once."""
    rung_id = rung_after(card, act.rung_id) if card else None
    rung = card.follow_up(rung_id) if card and rung_id else None
    if rung and rung.id not in items:
        items[rung.id] = Item.entered(act, rung.id, rung.hash)


def kept_cards(log: "Iterable[Act]") -> Mapping[str, Card | None]:
    """The versions whose ladders decide what a solid answer enters; None for one whose
    format can't be read any more."""
    wanted = {act.card_version for act in log if act.grade == Grade.SOLID}
    sources = CardVersion.objects.in_bulk(wanted)
    return {version: _read(sources[version]) for version in wanted & sources.keys()}


@lru_cache(maxsize=512)
def _read(version: CardVersion) -> Card | None:
    """Versions are write-once, so what was read once is never stale."""
    return version.card()
