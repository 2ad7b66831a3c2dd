"""The content as the lab sees it: cards to ask, experiments to run."""

from collections.abc import Iterable
from typing import Any

from interview.accounts.models import User
from interview.cards.card import Audience, Card
from interview.cards.experiment import Experiment, Load
from interview.cards.plain import plain_text
from interview.cards.results import ResultSet
from interview.measure.workload import default_requests
from interview.web.content import library

from .runs.presets import sizes_of


def audience(person: User | None) -> Audience:
    """Of a seat, which is None, no more than of a candidate."""
    if person is None:
        return Audience.CANDIDATE
    return Audience.INTERVIEWER if person.may_interview else Audience.CANDIDATE


def card(person: User | None, card_id: str) -> Card | None:
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
    """From the first to try to the last."""
    found = library().experiments.values()
    return sorted(found, key=lambda shown: (shown.order, shown.title))


def load_of(chosen: Experiment) -> dict[str, Any]:
    """Initial values of the run form: the experiment, and its shortest size if any."""
    sizes = sizes_of(chosen.id)
    return {"experiment": chosen.id} | ({"load": sizes[0].name} if sizes else {})


def loads_of(chosen: Experiment) -> list[dict[str, Any]]:
    """Its loads as the measuring client takes them."""
    return [
        {
            "name": load.name,
            "users": load.users,
            "requests": load.requests or default_requests(load.users),
            "prompt_tokens": load.prompt_tokens,
            "max_tokens": load.output_tokens,
            "fresh_prompt": load.fresh,
            "neighbours": neighbours_of(load),
        }
        for load in chosen.loads
    ]


def neighbours_of(load: Load) -> dict[str, int] | None:
    beside = load.neighbours
    if beside is None:
        return None
    return {
        "requests": beside.requests,
        "prompt_tokens": beside.prompt_tokens,
        "max_tokens": beside.output_tokens,
        "after_tokens": beside.after_tokens,
    }


def measured_points() -> ResultSet | None:
    """What the manual measured of one server under two loads."""
    return library().results.get("spark-two-loads")
