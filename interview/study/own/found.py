"""What a search finds, grouped: cards, manual, own notes, own attempts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.urls import reverse
from django.utils.safestring import SafeString

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.search import Hit
from interview.web.marked import marked
from interview.web.numbers import counted

from ..item_name import SPOT_THE_FLAW
from . import texts
from .mine import item_names
from .texts import Asked, OwnText

if TYPE_CHECKING:
    from interview.accounts.models import User

HITS = 40
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Line:
    title: str
    """Escaped, with its matches marked."""
    address: str
    text: SafeString
    detail: str
    """Of an attempt: what it answered."""
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Group:
    slug: str
    title: str
    noun: str
    lines: Sequence[Line]
    is_cut: bool
    """More match than are shown."""

    @classmethod
    def of(cls, noun: str, title: str, lines: Sequence[Line]) -> Self:
        return cls(f"in-{noun}s", title, noun, lines[:SHOWN], len(lines) > SHOWN)

    @property
    def counted(self) -> str:
        more = " and more" if self.is_cut else ""
        return f"{counted(len(self.lines), self.noun)}{more}"


@dataclass(frozen=True, slots=True)
class Found:
    q: str
    groups: Sequence[Group]
    """Those with a line."""

    @classmethod
    def of(cls, person: "User", q: str, content: Library, audience: Audience) -> Self:
        asked = Asked.of(q)
        if asked is None:
            return cls(q, [])
        hits = content.search(q, audience, limit=HITS)
        cards = [card_line(hit) for hit in hits if hit.kind == "card"]
        sections = [section_line(hit) for hit in hits if hit.kind == "section"]
        own = OwnLines(content, audience)
        notes = own.of_notes(texts.notes(person, asked))
        attempts = own.of_attempts(texts.attempts(person, asked))
        groups = [
            Group.of("card", "Cards", cards),
            Group.of("section", "Manual", sections),
            Group.of("note", "Your notes", notes),
            Group.of("attempt", "Your attempts", attempts),
        ]
        return cls(q, [group for group in groups if group.lines])

    @property
    def summary(self) -> str:
        """ "3 cards, 1 section, 10 notes or more" """
        return ", ".join(group.counted for group in self.groups)


def card_line(hit: Hit) -> Line:
    there = reverse("study:card", args=[hit.id])
    return Line(marked(hit.title), there, marked(hit.snippet), "", None)


def section_line(hit: Hit) -> Line:
    there = reverse("study:section", args=[hit.id])
    return Line(marked(hit.title), there, marked(hit.snippet), hit.id, None)


@dataclass(frozen=True, slots=True)
class OwnLines:
    content: Library
    audience: Audience

    def of_notes(self, found: Sequence[OwnText]) -> list[Line]:
        return [
            self.line(text, reverse("study:mine", args=[text.card_id]), "")
            for text in found
        ]

    def of_attempts(self, found: Sequence[OwnText]) -> list[Line]:
        return [self.line(text, history_of(text), self.item(text)) for text in found]

    def line(self, text: OwnText, address: str, detail: str) -> Line:
        card = self.card(text)
        title = card.title_text if card else text.card_id
        return Line(title, address, marked(text.excerpt), detail, text.at)

    def card(self, text: OwnText) -> Card | None:
        """None when it is not there any more: its title may tell what must not be."""
        return self.content.visible(text.card_id, self.audience)

    def item(self, text: OwnText) -> str:
        """ "Question", "L2", "Spot the flaw" or, when the rung has gone, its id."""
        if text.rung_id == SPOT_THE_FLAW:
            return "Spot the flaw"
        names = item_names(self.card(text))
        return names.get(text.rung_id, text.rung_id or "Question")


def history_of(text: OwnText) -> str:
    item = f"of-{text.rung_id or 'question'}"
    return reverse("study:history", args=[text.card_id], fragment=item)
