"""A card that is being written, as others will see it. Knows no request."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from django.utils.safestring import SafeString

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.render import Footnote, Renderer
from interview.web.card_texts import RungView, Texts, WrongView
from interview.web.rendering import address_in, draw


class Reader(StrEnum):
    CANDIDATE = "candidate"
    INTERVIEWER = "interviewer"
    PRINT = "print"

    @classmethod
    def named(cls, name: str) -> "Reader":
        return cls(name) if name in tuple(cls) else cls.CANDIDATE

    @property
    def words(self) -> str:
        return {
            Reader.CANDIDATE: "As a candidate sees it",
            Reader.INTERVIEWER: "As an interviewer has it",
            Reader.PRINT: "As it is printed",
        }[self]


@dataclass(frozen=True, slots=True)
class Preview:
    card: Card
    reader: Reader
    is_hidden: bool
    """From candidates, by its status."""
    title: SafeString
    roles: Sequence[str]
    question: SafeString
    short: SafeString
    full: SafeString
    rungs: Sequence[RungView]
    wrongs: Sequence[WrongView]
    footnotes: Sequence[Footnote]

    @classmethod
    def of(cls, card: Card, reader: Reader, library: Library) -> Self:
        # Its own, for the one of the library keeps whatever it has rendered.
        renderer = Renderer(library, address_in(library), draw)
        texts = Texts(card, library, renderer)
        roles = library.vocabulary.roles
        return cls(
            card=card,
            reader=reader,
            is_hidden=not Audience.CANDIDATE.sees(card.status),
            title=texts.inline(card.title),
            roles=[str(roles.get(role, role)) for role in card.roles],
            question=texts.html(card.question, level=4),
            short=texts.html(card.short, level=4),
            full=texts.html(card.full, level=4, terms=True),
            rungs=texts.rungs(),
            wrongs=texts.wrongs(),
            footnotes=renderer.footnotes(card.sources),
        )

    @property
    def is_open(self) -> bool:
        """Whether its answers are."""
        return self.reader is Reader.INTERVIEWER

    @property
    def is_paper(self) -> bool:
        return self.reader is Reader.PRINT
