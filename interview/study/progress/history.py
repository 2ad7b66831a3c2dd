"""Everything that one person did with one card, item by item. Knows no request."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.http import Http404

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.plain import plain_text
from interview.web.models import CardVersion

from ..item_name import SPOT_THE_FLAW, item_name
from ..models import Act, ActKind, Attempt, Item, Plan
from ..models.act_kind import MARKS
from ..own.due_words import due_words
from .trail import Line, line, lines


@dataclass(frozen=True, slots=True)
class ItemHistory:
    rung_id: str
    place: str
    """ "Question", its level, or "Spot the flaw"; blank when it left the card."""
    text: str
    item: Item | None
    """None when it is not in the schedule."""
    due: str
    """When it is asked again, in words; "" when it is not in the schedule."""
    lines: Sequence[Line]
    """Newest first."""

    @property
    def is_rung(self) -> bool:
        return self.rung_id not in ("", SPOT_THE_FLAW)

    @property
    def is_graded(self) -> bool:
        """At some time; the drill of the flaws never is."""
        return self.rung_id != SPOT_THE_FLAW


@dataclass(frozen=True, slots=True)
class History:
    card_id: str
    title: str
    is_there: bool
    """The card can be read and asked."""
    items: Sequence[ItemHistory]
    marks: Sequence[Line]
    """What was done with the card as a whole, newest first."""

    @property
    def is_empty(self) -> bool:
        return not self.marks and not any(item.lines for item in self.items)

    @classmethod
    def of(cls, plan: Plan, card_id: str, content: Library, now: datetime) -> Self:
        """404 for a card that isn't there and that this person never practised."""
        person = plan.user
        mine = Act.objects.of(person).filter(card_id=card_id)
        acts = list(mine.select_related("undone_by").in_order())
        attempts = list(Attempt.objects.filter(user=person, card_id=card_id))
        shown = content.visible(card_id, Audience.CANDIDATE)
        if not (shown or acts or attempts):
            raise Http404(f"There is no card {card_id}.")
        card = shown or kept(acts)
        items = {
            item.rung_id: (item, due_words(item, plan, now))
            for item in Item.objects.of(person).filter(card_id=card_id)
        }
        done = [act for act in acts if act.kind != ActKind.UNDO]
        marks = [act for act in done if act.kind in MARKS]
        on_items = [act for act in done if act.kind not in MARKS]
        return cls(
            card_id=card_id,
            title=card.title_text if card else card_id,
            is_there=shown is not None,
            items=_items(card_id, _names(card), items, on_items, attempts),
            marks=[line(act, {}) for act in reversed(marks)],
        )


def kept(acts: Iterable[Act]) -> Card | None:
    """The card as it was graded last."""
    versions = [act.card_version for act in acts if act.card_version]
    found = CardVersion.objects.filter(hash__in=versions[-1:]).first()
    return found.card() if found else None


def _items(
    card_id: str,
    names: dict[str, tuple[str, str]],
    scheduled: Mapping[str, tuple[Item, str]],
    acts: Iterable[Act],
    attempts: Iterable[Attempt],
) -> list[ItemHistory]:
    by_rung: dict[str, list[Act]] = defaultdict(list)
    written: dict[str, list[Attempt]] = defaultdict(list)
    for act in acts:
        by_rung[act.rung_id].append(act)
    for attempt in attempts:
        written[attempt.rung_id].append(attempt)
    gone = {rung_id: ("", rung_id or "Question") for rung_id in [*by_rung, *written]}
    if SPOT_THE_FLAW in gone:
        gone[SPOT_THE_FLAW] = ("Spot the flaw", "What is wrong with its wrong answers")
    return [
        ItemHistory(
            rung_id=rung_id,
            place=place,
            text=text,
            item=scheduled[rung_id][0] if rung_id in scheduled else None,
            due=scheduled[rung_id][1] if rung_id in scheduled else "",
            lines=lines(
                item_name(card_id, rung_id), by_rung[rung_id], written[rung_id]
            ),
        )
        for rung_id, (place, text) in (names | gone | names).items()
    ]


def _names(card: Card | None) -> dict[str, tuple[str, str]]:
    """Place and text of all items of a card by rung id, in asking order."""
    if card is None:
        return {}
    rungs = {f.id: (f.level, plain_text(f.title)) for f in card.follow_ups}
    return {"": ("Question", plain_text(card.question.markdown))} | rungs
