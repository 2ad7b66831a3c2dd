"""What a version of a kit asks otherwise than the one before, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from interview.cards.card import Card
from interview.cards.plain import plain_text
from interview.cards.vocabulary import Vocabulary

from ..models import KitQuestion, KitVersion


@dataclass(frozen=True, slots=True)
class Side:
    version: KitVersion
    questions: Sequence[KitQuestion]
    """In order."""
    cards: Mapping[str, Card]
    """As they were asked, by id."""

    @property
    def by_card(self) -> dict[str, KitQuestion]:
        found: dict[str, KitQuestion] = {}
        for question in self.questions:
            found.setdefault(question.card_id, question)
        return found

    def title(self, card_id: str) -> str:
        card = self.cards.get(card_id)
        return f"“{card.title_text if card else card_id}”"

    def rung(self, question: KitQuestion, rung_id: str) -> str:
        card = self.cards.get(question.card_id)
        rung = card.follow_up(rung_id) if card else None
        return f"{rung.level} “{plain_text(rung.title)}”" if rung else rung_id


def differences(before: Side, after: Side, words: Vocabulary) -> list[str]:
    """Empty when both ask the same."""
    return [
        *_of_frame(before.version, after.version, words),
        *_of_cards(before, after),
        *_of_questions(before, after),
    ]


def _of_frame(
    before: KitVersion, after: KitVersion, words: Vocabulary
) -> Iterator[str]:
    if before.role != after.role:
        old, new = (
            str(words.roles.get(role, role)) or "every role"
            for role in (before.role, after.role)
        )
        yield f"For {new}, before for {old}."
    if before.level != after.level:
        yield f"Up to {after.level}, before up to {before.level}."
    if before.notes != after.notes:
        yield "The notes to the kit are other ones."


def _of_cards(before: Side, after: Side) -> Iterator[str]:
    old, new = before.by_card, after.by_card
    for card_id in old:
        if card_id not in new:
            yield f"Not asked any more: {before.title(card_id)}."
    for card_id, question in new.items():
        if card_id not in old:
            yield f"New: {after.title(card_id)}, question {question.position}."
    stayed = [card_id for card_id in old if card_id in new]
    if stayed != [card_id for card_id in new if card_id in old]:
        order = ", ".join(after.title(card_id) for card_id in new if card_id in old)
        yield f"What stayed is asked in another order: {order}."


def _of_questions(before: Side, after: Side) -> Iterator[str]:
    old = before.by_card
    for card_id, question in after.by_card.items():
        was = old.get(card_id)
        if was is None:
            continue
        title = after.title(card_id)
        chosen, chosen_before = question.rungs_named, was.rungs_named
        for rung_id in chosen:
            if rung_id not in chosen_before:
                yield f"{title} also asks {after.rung(question, rung_id)}."
        for rung_id in chosen_before:
            if rung_id not in chosen:
                yield f"{title} does not ask {before.rung(was, rung_id)}."
        if question.minutes != was.minutes:
            yield f"{title} has {question.minutes} min, before {was.minutes}."
        if question.notes != was.notes:
            yield f"{title} has other notes."
        card, card_before = after.cards.get(card_id), before.cards.get(card_id)
        if card and card_before and card.version != card_before.version:
            yield f"{title}: the text of the card changed."
