"""The verdicts of a run on its experiment's claims, with the cards they speak of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interview.accounts.models import User
from interview.cards.card import Card, WrongAnswer
from interview.cards.experiment import Claim, Experiment

from .. import content
from .verdict import Outcome, Verdict, verdicts

WORDS = {
    Outcome.AGREES: ("✓", "agrees"),
    Outcome.REFUTES: ("✗", "refutes"),
    Outcome.CANNOT_TELL: ("?", "can’t tell"),
}


@dataclass(frozen=True, slots=True)
class Judged:
    verdict: Verdict
    card: Card | None
    """Whose wrong answer the claim is against, where this person may see it."""
    wrong: WrongAnswer | None

    @property
    def claim(self) -> Claim:
        return self.verdict.claim

    @property
    def outcome(self) -> str:
        return self.verdict.outcome.value

    @property
    def mark(self) -> str:
        return WORDS[self.verdict.outcome][0]

    @property
    def words(self) -> str:
        return WORDS[self.verdict.outcome][1]


def judged(
    person: User | None, experiment: Experiment, figures: Mapping[str, Any] | None
) -> list[Judged]:
    return [
        Judged(one, *against(person, one.claim))
        for one in verdicts(experiment, figures or {})
    ]


def against(
    person: User | None, claim: Claim
) -> tuple[Card | None, WrongAnswer | None]:
    """The card and its wrong answer that the claim speaks against, where this person
    may see them; a seat, which is None, sees none."""
    if claim.against is None or person is None:
        return None, None
    card_id, wrong_id = claim.against
    card = content.card(person, card_id)
    wrongs = card.wrong_answers if card else ()
    return card, next((wrong for wrong in wrongs if wrong.id == wrong_id), None)


def in_short(found: Iterable[Judged]) -> str:
    """ "2 agree, 1 refutes, 1 can’t tell"; "" without claims."""
    outcomes = [one.verdict.outcome for one in found]
    parts = []
    for outcome, (_, words) in WORDS.items():
        if count := outcomes.count(outcome):
            plural = words.removesuffix("s") if count > 1 else words
            parts.append(f"{count} {plural}")
    return ", ".join(parts)
