"""What the console shows of one question: the script, the scorecard, what is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from uuid import UUID

from django.utils.safestring import SafeString

from interview.cards.library import Library
from interview.cards.render import Footnote, Renderer
from interview.rating.rating import BELOW_L1, HIGHEST, Mark
from interview.rating.words import MARKS, level_word
from interview.web.card_texts import RungView, Texts, WrongView
from interview.web.clock import Clock
from interview.web.keys import uuid7

from ..models import Note, Score
from .before import Before
from .desk import Desk
from .difference import Difference, differences
from .keeping import Refused, RefusedNote
from .rated import rated_words
from .runs import Attached, attached_to
from .sent import SentMarks

NOTHING = Refused()


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
class NoteRow:
    key: UUID
    text: str
    rung_id: str
    revision: int
    at: str
    """`12:05` since the interview began; "" of a note that is not written yet."""
    refused: RefusedNote | None = None

    @classmethod
    def of(cls, note: Note) -> Self:
        at = clock_text(note.at_s)
        return cls(note.pk, note.text, note.rung_id, note.revision, at)

    @classmethod
    def again(cls, refused: RefusedNote) -> Self:
        """As it was sent; saving it once more replaces what is saved."""
        sent, saved = refused.sent, refused.saved
        revision = saved.revision if saved else sent.revision
        at = clock_text(saved.at_s) if saved else ""
        return cls(sent.key, sent.text, sent.rung_id, revision, at, refused)


@dataclass(frozen=True, slots=True)
class QuestionLine:
    position: int
    title: SafeString
    state: str
    is_here: bool
    is_now: bool


@dataclass(frozen=True, slots=True)
class Timed:
    name: str
    clock: Clock | None
    """None before it began."""
    runs: bool


@dataclass(frozen=True, slots=True)
class ConsolePage:
    desk: Desk
    before: Before
    title: SafeString
    question: SafeString
    """"" when the card can't be read any more."""
    short: SafeString
    full: SafeString
    rungs: Sequence[RungRow]
    wrongs: Sequence[WrongRow]
    footnotes: Sequence[Footnote]
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
            title=here.inline(here.card.title) if here else _NO_TEXT,
            question=here.html(here.card.question) if here else _NO_TEXT,
            short=here.html(here.card.short) if here else _NO_TEXT,
            full=here.html(here.card.full) if here else _NO_TEXT,
            rungs=_rungs(desk, here, marks) if here else (),
            wrongs=_wrongs(here, marks) if here else (),
            footnotes=renderer.footnotes(here.card.sources) if here else (),
            marks=marks,
            rated=rated_words(desk.score, desk.rungs),
            differs=differences(desk, refused.marks.sent) if refused.marks else (),
            notes=_notes(desk.score, refused),
            blank=NoteRow(uuid7(), "", before.rung_id, 0, ""),
            questions=[_line(desk, score, texts) for score in desk.scores],
            evidence=attached_to(desk),
            clocks=(_question_clock(desk, now), _whole_clock(desk, now)),
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


_NO_TEXT = SafeString()


def clock_text(seconds: int) -> str:
    """`12:05`, minutes and seconds"""
    return f"{seconds // 60}:{seconds % 60:02}"


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


def _notes(score: Score, refused: Refused) -> list[NoteRow]:
    """What is saved, in the order of the interview, and what was refused in its
    place."""
    again = {note.sent.key: NoteRow.again(note) for note in refused.notes}
    saved = [NoteRow.of(note) for note in score.notes.all()]
    rows = [again.pop(row.key, row) for row in saved if row.text or row.key in again]
    return rows + list(again.values())


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


def _question_clock(desk: Desk, now: datetime) -> Timed:
    """Until the next question was put, or the end."""
    name, interview, began = "This question", desk.interview, desk.asked.asked_at
    if began is None:
        return Timed(name, None, runs=False)
    others = [score.asked.asked_at for score in desk.scores]
    ended = [at for at in [*others, interview.ended_at] if at and at > began]
    clock = Clock.of(began, desk.question.minutes, min(ended, default=now))
    return Timed(name, clock, runs=not ended)


def _whole_clock(desk: Desk, now: datetime) -> Timed:
    name, interview = "The interview", desk.interview
    if interview.started_at is None:
        return Timed(name, None, runs=False)
    planned = sum(score.asked.question.minutes for score in desk.scores)
    clock = Clock.of(interview.started_at, planned, interview.ended_at or now)
    return Timed(name, clock, runs=not interview.is_over)
