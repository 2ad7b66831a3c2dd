"""A card as it is being written: its text, and what the linter says of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from interview.cards.card import Card, Status
from interview.cards.cardfile import read_card
from interview.cards.check import check
from interview.cards.problem import Notes, Problem, Severity, has_errors, in_order
from interview.web.content import roots
from interview.web.figures import FIGURES
from interview.web.lines import plain_lines
from interview.web.numbers import number

from .folder import Folder, OwnFile

MOST_CHARACTERS = 200_000
LONGEST_ID = 100
UNUSED = (Status.DRAFT, Status.RETIRED)
"""Nobody is asked such a card, so it may wait for its corrections."""

TOO_LONG = f"A card has {number(MOST_CHARACTERS)} characters at most."
NO_CARD = "Its errors keep it from being read as a card, and so from being saved."
NOT_READY = (
    "Its errors keep it from being asked: correct them, or save it as a draft for now."
)
_STATUS = re.compile(r"^status:.*$", re.MULTILINE)


def clean(text: str) -> str:
    """As a file has it: browsers send CRLF, some editors start with a byte order mark.

    A NUL, which no database keeps, becomes what Markdown makes of it.
    """
    lines = plain_lines(text.removeprefix("\ufeff"))
    return lines.replace("\0", "\ufffd").rstrip() + "\n"


def as_draft(text: str) -> str:
    """The text with `status: draft` in its front matter."""
    front, fence, body = text.partition("\n---")
    if _STATUS.search(front):
        front = _STATUS.sub("status: draft", front, count=1)
    elif fence:
        front += "\nstatus: draft"
    return front + fence + body


def lint(texts: Mapping[Path, str]) -> list[Problem]:
    """What `cards check` would say of these files once they are saved."""
    return check(roots(), figures=FIGURES, drafts=texts, only_drafts=True)


@dataclass(frozen=True, slots=True)
class Draft:
    text: str
    card: Card | None
    """None when the text cannot be read as one."""
    problems: Sequence[Problem]

    @classmethod
    def of(cls, text: str, own: OwnFile | None = None) -> Self:
        """`own` is the file that it would replace."""
        text = clean(text)
        if len(text) > MOST_CHARACTERS:
            return cls(text, None, ())
        notes = Notes("card.md")
        card = read_card(text, notes, private=True)
        if card is None:
            return cls(text, None, in_order(notes.problems))
        path = own.path if own else Folder.own().place(card)
        return cls(text, card, lint({path: text}))

    @property
    def errors(self) -> list[Problem]:
        return [p for p in self.problems if p.rule.severity is Severity.ERROR]

    @property
    def notices(self) -> list[Problem]:
        return [p for p in self.problems if p.rule.severity is Severity.NOTICE]

    def refusal(self, card_id: str = "") -> str:
        """Why it cannot be saved, edited as `card_id` or new; "" if it can."""
        if len(self.text) > MOST_CHARACTERS:
            return TOO_LONG
        if self.card is None:
            return NO_CARD
        if card_id and card_id != self.card.id:
            return f"A card keeps its id, and this one has “{card_id}”."
        if taken := id_refusal(self.card.id, Folder.own().elsewhere()):
            return taken
        if self.card.status not in UNUSED and has_errors(self.problems):
            return NOT_READY
        return ""


def id_refusal(card_id: str, elsewhere: Mapping[str, Path]) -> str:
    """Why no own card can have this id; "" if one can."""
    if len(card_id) > LONGEST_ID:
        return f"An id has {LONGEST_ID} characters at most."
    if card_id in elsewhere:
        return f"The id “{card_id}” is that of {elsewhere[card_id]}: choose another."
    return ""
