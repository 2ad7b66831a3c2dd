"""An experiment for the lab: its loads, the question to predict, what it claims."""

from collections.abc import Iterator
from dataclasses import dataclass

from interview.cards.card import Source
from interview.cards.outline import Passage
from interview.cards.plain import plain_text
from interview.cards.quantity import Quantity, Range


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Requests of others that arrive while a measured one streams."""

    requests: int
    prompt_tokens: int
    output_tokens: int
    after_tokens: int
    """Number k is sent when the measured request has received k times as many."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of the server in one go; loads are measured one by one."""

    name: str
    """Unique in its experiment; the number of users where nothing else differs."""
    users: int
    requests: int | None
    """None leaves the number to the measurement."""
    prompt_tokens: int
    output_tokens: int
    fresh: bool
    """Other words in front of every prompt, so that no prefix cache knows it."""
    neighbours: Neighbours | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence about the ratio of two measured quantities: `of` / `to`."""

    id: str
    title: str
    """The sentence, inline Markdown."""
    of: Quantity
    to: Quantity
    agrees: Range
    """A ratio in here, with all its spread, agrees with the sentence."""
    doubt: Range
    """A ratio outside of it, with all its spread, refutes the sentence."""
    against: tuple[str, str] | None
    """Ids of a card and of its wrong answer that a run which agrees refutes."""
    why: Passage
    """Why these two numbers decide it."""
    line: int

    @property
    def title_text(self) -> str:
        return plain_text(self.title)


@dataclass(frozen=True, slots=True)
class Experiment:
    id: str
    title: str
    written: bool
    """False while it is only planned: it is named, but cannot be opened."""
    order: int
    """Its place among the experiments, from the first to try; equal ones by title."""
    loads: tuple[Load, ...]
    """At least one, in the order of measuring."""
    by_users: bool
    """The loads differ in their number of users alone, which is their name."""
    repetitions: int
    gathers: bool
    """Its streams are added one by one by the people of a room: it needs one."""
    predict: tuple[Quantity, ...]
    """What the form asks before the run."""
    claims: tuple[Claim, ...]
    cards: tuple[str, ...]
    intro: Passage
    question: Passage
    look_for: Passage
    sources: tuple[Source, ...]
    """The facts that its text cites, in order."""
    path: str
    source: str

    @property
    def users(self) -> tuple[int, ...]:
        """Users at once, load by load."""
        return tuple(load.users for load in self.loads)

    @property
    def prompt_tokens(self) -> int:
        """Of the first load."""
        return self.loads[0].prompt_tokens

    @property
    def output_tokens(self) -> int:
        """Of the first load."""
        return self.loads[0].output_tokens

    def load(self, name: str) -> Load | None:
        return next((load for load in self.loads if load.name == name), None)

    def claims_against(self, card_id: str, wrong_id: str) -> tuple[Claim, ...]:
        """The claims that refute this wrong answer when a run agrees with them."""
        against = (card_id, wrong_id)
        return tuple(claim for claim in self.claims if claim.against == against)

    def passages(self) -> Iterator[Passage]:
        """Its whole text, with the claims' sentences, in the order of the file."""
        yield from (self.intro, self.question, self.look_for)
        for claim in self.claims:
            yield from (Passage(claim.title, claim.line, 4), claim.why)
