"""What the console shows of one question: the script, the scorecard, what is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.utils.safestring import SafeString

from interview.cards.library import Library
from interview.cards.render import Footnote, Renderer
from interview.rating.rating import BELOW_L1, HIGHEST, Mark
from interview.rating.words import MARKS, level_word
from interview.web.card_texts import RungView, Texts, WrongView

from ..models import Score
from .before import Before
from .desk import Desk
from .difference import Difference, differences
from .keeping import Refused
from .note_row import NoteRow, note_rows
from .rated import rated_words
from .runs import Attached, attached_to
from .sent import SentMarks
from .timed import Timed, question_clock, whole_clock

NOTHING = Refused()


@dataclass(frozen=True, slots=True)
class Script:
    """The texts of the card, as HTML; its follow-ups and wrong answers are rows."""

    title: SafeString
    question: SafeString
    short: SafeString
    full: SafeString
    footnotes: Sequence[Footnote]

    @classmethod
    def of(cls, texts: Texts) -> Self:
        card = texts.card
        return cls(
            title=texts.inline(card.title),
            question=texts.html(card.question),
            short=texts.html(card.short),
            full=texts.html(card.full),
            footnotes=texts.renderer.footnotes(card.sources),
        )


@dataclass(frozen=True, slots=True)
class RungRow:
    view: RungView
    mark: str
    """"" while it is not marked."""
    hinted: bool

    @property
    def id(self) -> str:
        return self.view.id


@dataclass(frozen=True, slots=True)
class WrongRow:
    number: int
    """From 1: the digit that ticks it."""
    view: WrongView
    said: bool


@dataclass(frozen=True, slots=True)
class QuestionLine:
    position: int
    title: SafeString
    state: str
    is_here: bool
    is_now: bool


@dataclass(frozen=True, slots=True)
class ConsolePage:
    desk: Desk
    before: Before
    script: Script | None
    """None when the card can't be read any more."""
    rungs: Sequence[RungRow]
    wrongs: Sequence[WrongRow]
    marks: Score | SentMarks
    """What the form shows: what is saved, or what was sent and refused."""
    rated: str
    """In words, of what is saved."""
    differs: Sequence[Difference]
    notes: Sequence[NoteRow]
    blank: NoteRow
    """To write the next one into."""
    questions: Sequence[QuestionLine]
    evidence: Sequence[Attached]
    clocks: Sequence[Timed]
    elapsed_s: int
    refused: Refused

    mark_words = tuple((mark, MARKS[mark]) for mark in Mark)
    rates = tuple((one, level_word(one)) for one in range(BELOW_L1, HIGHEST + 1))

    @classmethod
    def of(
        cls,
        desk: Desk,
        library: Library,
        renderer: Renderer,
        now: datetime,
        refused: Refused = NOTHING,
    ) -> Self:
        texts = {
            card_id: Texts(card, library, renderer)
            for card_id, card in desk.cards.items()
        }
        before = Before.of(desk, texts)
        here = texts.get(desk.score.card_id)
        marks = refused.marks.sent if refused.marks else desk.score
        return cls(
            desk=desk,
            before=before,
            script=Script.of(here) if here else None,
            rungs=_rungs(desk, here, marks) if here else (),
            wrongs=_wrongs(here, marks) if here else (),
            marks=marks,
            rated=rated_words(desk.score, desk.rungs),
            differs=differences(desk, refused.marks.sent) if refused.marks else (),
            notes=note_rows(desk.score, refused),
            blank=NoteRow.blank(before.rung_id),
            questions=[_line(desk, score, texts) for score in desk.scores],
            evidence=attached_to(desk),
            clocks=(question_clock(desk, now), whole_clock(desk, now)),
            elapsed_s=desk.interview.elapsed_s(now),
            refused=refused,
        )

    @property
    def position(self) -> int:
        return self.desk.question.position

    @property
    def previous(self) -> QuestionLine | None:
        found = [line for line in self.questions if line.position < self.position]
        return found[-1] if found else None

    @property
    def following(self) -> QuestionLine | None:
        later = (line for line in self.questions if line.position > self.position)
        return next(later, None)

    @property
    def is_locked(self) -> bool:
        """Submitted, or of an interview that is anonymised."""
        return self.is_in or self.desk.interview.anonymised_at is not None

    @property
    def is_in(self) -> bool:
        return self.desk.scorecard.is_in

    @property
    def revision(self) -> int:
        """Of what is saved: who saves over it has seen it."""
        return self.desk.score.revision


def _rungs(desk: Desk, texts: Texts, marks: Score | SentMarks) -> list[RungRow]:
    views = {view.id: view for view in texts.rungs()}
    return [
        RungRow(
            view=views[rung.id],
            mark=marks.marks.get(rung.id, ""),
            hinted=rung.id in marks.hinted,
        )
        for rung in desk.rungs
    ]


def _wrongs(texts: Texts, marks: Score | SentMarks) -> list[WrongRow]:
    return [
        WrongRow(number, view, view.id in marks.said)
        for number, view in enumerate(texts.wrongs(), 1)
    ]


def _line(desk: Desk, score: Score, texts: dict[str, Texts]) -> QuestionLine:
    question, found = score.asked.question, texts.get(score.card_id)
    words = rated_words(score, desk.rungs_of(score))
    return QuestionLine(
        position=question.position,
        title=found.inline(found.card.title) if found else SafeString(),
        state="void" if question.voided_at else words,
        is_here=score.pk == desk.score.pk,
        is_now=score.asked_id == desk.interview.asked_now_id,
    )
