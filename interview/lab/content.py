"""The content as the lab sees it: cards to ask, experiments to run."""

from collections.abc import Iterable
from typing import Any

from interview.accounts.models import User
from interview.cards.card import Audience, Card
from interview.cards.experiment import Experiment
from interview.cards.plain import plain_text
from interview.cards.results import ResultSet
from interview.web.content import library

from .presets import PRESETS


def audience(person: User) -> Audience:
    return Audience.INTERVIEWER if person.may_interview else Audience.CANDIDATE


def card(person: User, card_id: str) -> Card | None:
    """The card, or None when this person may not see it."""
    return library().visible(card_id, audience(person)) if card_id else None


def cards(person: User) -> list[Card]:
    return library().listed(audience(person))


def cards_of(person: User, shown: Experiment) -> list[Card]:
    """The cards that this experiment names or that name it, each once."""
    named: Iterable[Card | None] = (card(person, card_id) for card_id in shown.cards)
    trying = library().trying(shown.id, audience(person))
    return list({c.id: c for c in (*named, *trying) if c}.values())


def question_of(chosen: Card | None) -> str | None:
    """A card's question as a prompt: its words without markup."""
    return plain_text(chosen.question.markdown) if chosen else None


def experiment(experiment_id: str) -> Experiment | None:
    return library().experiments.get(experiment_id)


def experiments() -> list[Experiment]:
    return list(library().experiments.values())


def load_of(chosen: Experiment) -> dict[str, Any]:
    """Initial values of the run form: the experiment's load, or its one request."""
    found: dict[str, Any] = {
        "experiment": chosen.id,
        "source": "text",
        "prompt_tokens": chosen.prompt_tokens,
        "max_tokens": chosen.output_tokens,
    }
    if chosen.users != (1,):
        levels = ",".join(str(users) for users in chosen.users)
        made_for = (name for name in PRESETS if name.startswith(f"{chosen.id}-"))
        load = next(made_for, "custom")
        found |= {"load": load, "levels": levels, "repeat": chosen.repetitions}
    return found


def measured_points() -> ResultSet | None:
    """What the manual measured of one server under two loads."""
    return library().results.get("spark-two-loads")
