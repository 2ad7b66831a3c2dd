"""A question card and its parts, as values."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from interview.cards.outline import Passage
from interview.cards.plain import plain_text

LEVELS = {"L1": "Screen", "L2": "Working", "L3": "Senior", "L4": "Staff"}
SECTIONS = (
    "Question",
    "Short answer",
    "Full answer",
    "Follow-ups",
    "Wrong answers",
    "Sources",
)


class Status(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    KIT_ONLY = "kit-only"
    """Never shown to candidates."""
    RETIRED = "retired"


class Audience(StrEnum):
    """Who is looking: it decides which cards are there at all."""

    CANDIDATE = "candidate"
    INTERVIEWER = "interviewer"
    AUTHOR = "author"

    def sees(self, status: Status) -> bool:
        if self is Audience.AUTHOR:
            return True
        published = status is Status.PUBLISHED
        kit_only = status is Status.KIT_ONLY and self is Audience.INTERVIEWER
        return published or kit_only


def item_hash(*texts: str) -> str:
    """16 hex digits over the words of an item, blind to markup and white space."""
    bare = "\x1f".join("".join(plain_text(text).split()) for text in texts)
    return hashlib.sha256(bare.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class FollowUp:
    id: str
    """Unique in its card; addressed as `card-id/id`."""
    level: str
    title: str
    """The question, inline Markdown."""
    answer: Passage
    line: int

    @property
    def hash(self) -> str:
        return item_hash(self.title, self.answer.markdown)


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    id: str
    quote: str
    """As a candidate would say it, inline Markdown, without outer quotation marks."""
    why: Passage
    experiment: str | None
    """The experiment that refutes it."""
    line: int


@dataclass(frozen=True, slots=True)
class Source:
    facts: tuple[str, ...]
    """Ids in sources.toml; empty for a source that is text only."""
    text: str
    """Inline Markdown."""
    line: int


@dataclass(frozen=True, slots=True)
class Card:
    id: str
    title: str
    """Inline Markdown."""
    roles: tuple[str, ...]
    topics: tuple[str, ...]
    levels: tuple[str, ...]
    minutes: int
    competences: tuple[str, ...]
    status: Status
    engine: str
    checked: date
    edition: str
    needs: tuple[str, ...]
    taught_in: tuple[str, ...]
    """Section numbers such as "1.3"."""
    experiments: tuple[str, ...]
    question: Passage
    short: Passage
    full: Passage
    follow_ups: tuple[FollowUp, ...]
    """In file order, which is the order in which they are climbed."""
    wrong_answers: tuple[WrongAnswer, ...]
    sources: tuple[Source, ...]
    path: str
    private: bool
    """It lies in a content folder of this installation, not in the repository."""
    source: str
    """The whole file."""

    @property
    def title_text(self) -> str:
        return plain_text(self.title)

    @property
    def hash(self) -> str:
        """Of the question item: question, short and full answer."""
        texts = (self.question, self.short, self.full)
        return item_hash(*(passage.markdown for passage in texts))

    @property
    def text_hash(self) -> str:
        """Of all its prose, titles too, for the review that read it."""
        titles = [self.title, *(rung.title for rung in self.follow_ups)]
        titles += [wrong.quote for wrong in self.wrong_answers]
        return item_hash(*titles, *(passage.markdown for passage in self.passages()))

    @property
    def version(self) -> str:
        """Of the whole file, for write-once copies."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    def follow_up(self, follow_up_id: str) -> FollowUp | None:
        return next((f for f in self.follow_ups if f.id == follow_up_id), None)

    def wrong_answer(self, wrong_id: str) -> WrongAnswer | None:
        return next((w for w in self.wrong_answers if w.id == wrong_id), None)

    def item_hashes(self) -> dict[str, str]:
        """The hash of each item: `card-id` and `card-id/follow-up-id`."""
        rungs = {f"{self.id}/{rung.id}": rung.hash for rung in self.follow_ups}
        return {self.id: self.hash} | rungs

    def passages(self) -> Iterator[Passage]:
        yield from (self.question, self.short, self.full)
        yield from (rung.answer for rung in self.follow_ups)
        yield from (wrong.why for wrong in self.wrong_answers)
