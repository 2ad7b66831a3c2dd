"""An experiment for the lab: its load, the question to predict, what to look for."""

from dataclasses import dataclass

from interview.cards.card import Source
from interview.cards.outline import Passage


@dataclass(frozen=True, slots=True)
class Experiment:
    id: str
    title: str
    written: bool
    """False while it is only planned: it is named, but cannot be opened."""
    users: tuple[int, ...]
    """Users at once, one level after the other."""
    prompt_tokens: int
    output_tokens: int
    repetitions: int
    neighbours: int
    """Requests of other users that arrive while the measured one streams."""
    cards: tuple[str, ...]
    intro: Passage
    question: Passage
    look_for: Passage
    sources: tuple[Source, ...]
    """The facts that its text cites, in order."""
    path: str
    source: str
