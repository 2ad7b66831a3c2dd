"""What the columns of one row must be together, so that every page can work with it."""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from interview.cards.card import LEVELS
from interview.cards.cardfile import read_card
from interview.cards.problem import Notes
from interview.recall.grade import Grade

from ..models import ActKind, Plan
from ..models.act_kind import MARKS, ON_ITEMS
from .columns import Unreadable, column, shown

RETENTION = column(Plan._meta.get_field("retention"))
NEEDED_BY_GRADES = ("retention", "zone", "item_hash", "card_version")
Row = Mapping[str, Any]


@cache
def zones() -> set[str]:
    """Read once: they are looked for in the file system."""
    return available_timezones()


def plan_rule(row: Row) -> None:
    if row["level"] and row["level"] not in LEVELS:
        raise Unreadable(f"has a level that there is not: {shown(row['level'])}")


def act_rule(row: Row) -> None:
    kind = row["kind"]
    if (kind == ActKind.UNDO) != (row["undoes"] is not None):
        raise Unreadable("must name in “undoes” what it takes back, if it is an undo")
    if kind == ActKind.GRADE:
        grade_rule(row)
    elif kind in ON_ITEMS and not (row["item_hash"] and row["card_version"]):
        raise Unreadable("has no “item_hash” or no “card_version”")
    if kind in MARKS and row["rung_id"]:
        raise Unreadable("is about a card, and names a rung")


def grade_rule(row: Row) -> None:
    missing = [name for name in NEEDED_BY_GRADES if not row[name]]
    if missing:
        raise Unreadable(f"is a grade without “{missing[0]}”")
    if row["grade"] not in list(Grade):
        raise Unreadable(f"has a grade that there is not: {shown(row['grade'])}")
    if row["zone"] not in zones():
        raise Unreadable(f"has a time zone that is not known: {shown(row['zone'])}")
    RETENTION.read(row["retention"])
    if row["recall"] is not None and not 0 <= row["recall"] <= 1:
        raise Unreadable(f"has no probability as “recall”: {shown(row['recall'])}")


def place_rule(row: Row) -> None:
    """A step is a position in a session."""
    if row["position"] is not None and row["session"] is None:
        raise Unreadable("has a position, and no session that it is one of")


def attempt_rule(row: Row) -> None:
    place_rule(row)
    if row["session"] is not None and row["position"] is None:
        raise Unreadable("has a session, and no position in it")


def version_rule(row: Row) -> None:
    source = row["source"]
    if hashlib.sha256(source.encode()).hexdigest() != row["hash"]:
        raise Unreadable("has another hash than its text")
    notes = Notes(f"{row['card_id']}.md")
    card = read_card(source, notes, private=True)
    if card is not None and card.id != row["card_id"]:
        raise Unreadable(f"is the text of another card: {shown(card.id)}")


RULES: Mapping[str, tuple[Callable[[Row], None], ...]] = {
    "plan": (plan_rule,),
    "acts": (act_rule, place_rule),
    "attempts": (attempt_rule,),
    "card_versions": (version_rule,),
}
"""By the name of the kind."""
