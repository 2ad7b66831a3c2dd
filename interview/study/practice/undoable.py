"""The one act that Undo takes back, in words."""

from dataclasses import dataclass
from typing import Self
from uuid import UUID

from interview.cards.card import Audience
from interview.cards.library import Library
from interview.recall.grade import Grade

from ..models import Act, ActKind

WORDS = {
    ActKind.SKIP: "Later today",
    ActKind.SUSPEND: "Suspend",
    ActKind.FLAG: "Flag",
    ActKind.UNFLAG: "Unflag",
    ActKind.KEEP: "Keep",
    ActKind.RESET: "Reset",
}


@dataclass(frozen=True, slots=True)
class Undoable:
    id: UUID
    session_id: UUID
    words: str
    """What was done: "Solid"."""
    title: str
    """Of the card; its id when it left the content."""
    place: str
    """ "L2" for a rung, "" for the question."""

    @classmethod
    def of(cls, act: Act | None, library: Library) -> Self | None:
        if act is None or act.session_id is None:
            return None
        kind = ActKind(act.kind)
        card = library.visible(act.card_id, Audience.CANDIDATE)
        rung = card.follow_up(act.rung_id) if card else None
        return cls(
            id=act.id,
            session_id=act.session_id,
            words=Grade(act.grade).word if kind is ActKind.GRADE else WORDS[kind],
            title=card.title_text if card else act.card_id,
            place=rung.level if rung else "",
        )
