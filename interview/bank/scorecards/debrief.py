"""Scorecards side by side, for the panel's talk: apart first, then agreed.

Who may not read others' yet gets nothing of them, because nothing of them is loaded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from interview.cards.render import Renderer
from interview.rating.disagreement import Disagreement, widest_first
from interview.rating.words import spread_words

from ..models import Interview, Scorecard
from .change import Change
from .levels import LevelBars, bars_of
from .question import Question, Worded, questions_of
from .sheet import Entry, NoteLine, RungMark, Sheet, sheets_of

if TYPE_CHECKING:
    from interview.accounts.models import User


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody of the panel, and nothing but whether their scorecard is in."""

    name: str
    is_in: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """What the panel marked at one question; columns are the interviewers."""

    question: Question
    entries: Sequence[Entry]
    disagreement: Disagreement

    @classmethod
    def of(cls, question: Question, entries: Sequence[Entry]) -> Self:
        ratings = [each.score.rating for each in entries]
        marks = [
            {each.rung.id: each.mark for each in entry.marks if each.mark}
            for entry in entries
        ]
        return cls(question, entries, Disagreement.of(ratings, marks))

    @property
    def spread(self) -> str:
        return spread_words(self.disagreement.spread)

    @property
    def rungs(self) -> list[tuple[Worded, bool, list[RungMark]]]:
        """Each follow-up, whether the panel is apart at it, and everybody's mark."""
        columns = zip(*(each.marks for each in self.entries), strict=True)
        return [
            (marks[0].rung, marks[0].rung.id in self.disagreement.apart, list(marks))
            for marks in columns
        ]

    @property
    def heard(self) -> list[tuple[Worded, list[bool]]]:
        """Each wrong answer that somebody heard, and who did."""
        rows = [
            (wrong, [wrong in each.heard for each in self.entries])
            for wrong in self.question.wrongs
        ]
        return [row for row in rows if any(row[1])]

    @property
    def notes(self) -> list[NoteLine]:
        """Everybody's, as the interview went."""
        found = [note for each in self.entries for note in each.notes]
        return sorted(found, key=lambda line: line.note.at_s)

    @property
    def changes(self) -> list[Change]:
        found = [change for each in self.entries for change in each.changes]
        return sorted(found, key=lambda change: change.revision.at)


@dataclass(frozen=True, slots=True)
class Debrief:
    interview: Interview
    members: Sequence[Member]
    sheets: Sequence[Sheet]
    """Those that the reader may see; empty while the debrief is closed to them."""
    compared: Sequence[Compared]
    """Questions that count, in the kit's order."""
    voided: Sequence[Compared]

    @classmethod
    def of(cls, interview: Interview, person: "User", renderer: Renderer) -> Self:
        cards = Scorecard.objects.open_to(person, interview).in_()
        questions = questions_of(interview, renderer)
        sheets = sheets_of(cards, questions)
        compared = [
            Compared.of(question, list(entries))
            for question, *entries in zip(
                questions, *(sheet.entries for sheet in sheets), strict=True
            )
            if sheets
        ]
        return cls(
            interview=interview,
            members=members_of(interview),
            sheets=sheets,
            compared=[each for each in compared if not each.question.is_void],
            voided=[each for each in compared if each.question.is_void],
        )

    @property
    def is_open(self) -> bool:
        return bool(self.sheets)

    @property
    def title(self) -> str:
        """ "All 3 are in", "2 of 3 are in" """
        here, of = sum(each.is_in for each in self.members), len(self.members)
        return f"All {of} are in" if here == of else f"{here} of {of} are in"

    @property
    def widest_first(self) -> list[Compared]:
        return widest_first((each, each.disagreement) for each in self.compared)

    @property
    def levels(self) -> list[LevelBars]:
        return bars_of(self.sheets)

    def in_order(self, order: str) -> Sequence[Compared]:
        """`order` "kit", or else the widest spread first."""
        return self.compared if order == "kit" else self.widest_first

    def holds_others(self, person: "User") -> bool:
        return any(each.card.interviewer_id != person.pk for each in self.sheets)


def members_of(interview: Interview) -> list[Member]:
    """By name; two queries."""
    submitted = Scorecard.objects.filter(interview=interview).in_()
    here = set(submitted.values_list("interviewer_id", flat=True))
    panel = interview.panel.select_related("user").order_by("user__name_key")
    return [Member(each.user.name, each.user_id in here) for each in panel]
