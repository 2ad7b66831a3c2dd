"""Where one step stands: its card, its grades, its items, and the walk through it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.recall.grade import Grade

from ..models import Act, Item, Plan, SessionStep
from .walk import Walk, walk


def card_of(step: SessionStep, library: Library) -> Card | None:
    """None when the card, or the rung where the step begins, left the content."""
    card = library.visible(step.card_id, Audience.CANDIDATE)
    if card and step.rung_id and card.follow_up(step.rung_id) is None:
        return None
    return card


@dataclass(frozen=True, slots=True)
class StepState:
    step: SessionStep
    card: Card
    grades: Mapping[str, Act]
    """The standing grade of each item of this step, by rung."""
    turns: Mapping[str, int]
    """How often each was graded, what was taken back included."""
    items: Mapping[str, Item]
    """All of the card that are in the schedule, by rung."""
    walk: Walk

    @classmethod
    def of(cls, step: SessionStep, card: Card, plan: Plan, now: datetime) -> Self:
        acts = list(
            Act.objects.grades().filter(step=step, card_id=card.id).in_order()
            .select_related("undone_by")
        )  # fmt: skip
        grades = {act.rung_id: act for act in acts if not hasattr(act, "undone_by")}
        turns: dict[str, int] = {}
        for act in acts:
            turns[act.rung_id] = turns.get(act.rung_id, 0) + 1
        mine = Item.objects.filter(user=plan.user, card_id=card.id)
        items = {item.rung_id: item for item in mine}
        due = Item.objects.due(plan, now).filter(card_id=card.id)
        due_ids = set(due.values_list("rung_id", flat=True))
        known = {
            rung_id: item.last_grade
            for rung_id, item in items.items()
            if item.reviews and rung_id not in due_ids and rung_id != step.rung_id
        }
        given = {rung_id: Grade(act.grade) for rung_id, act in grades.items()}
        found = walk(card, step.rung_id, given, known, plan.level)
        return cls(step, card, grades, turns, items, found)

    @property
    def furthest(self) -> str:
        return self.walk.furthest(self.card, self.step.stage)

    def is_open(self, stage: str) -> bool:
        """It was revealed already."""
        stages = self.walk.stages
        return stage in stages and stages.index(stage) <= stages.index(self.furthest)

    def stage(self, wanted: str) -> str:
        """The wanted one, or the furthest when that is not open."""
        return wanted if self.is_open(wanted) else self.furthest

    def turn(self, rung_id: str) -> int:
        """Of the next grade: how often one was taken back."""
        return self.turns.get(rung_id, 0)

    def changed(self, rung_id: str) -> Item | None:
        """The item, when its text is another one than was graded or kept."""
        item = self.items.get(rung_id)
        if item is None or not item.reviews or rung_id in self.grades:
            return None
        return None if item.item_hash == self.card.item_hashes()[item.name] else item
