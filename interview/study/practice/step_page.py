"""What the page of a step shows: only what was revealed. Knows no request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Card
from interview.cards.library import Library
from interview.recall.grade import Grade
from interview.web.card_texts import Texts
from interview.web.rendering import renderer_of

from ..item_name import SPOT_THE_FLAW
from ..models import Act, Attempt, CardMark, Plan, SessionStep
from ..own.due_words import due_sentence
from ..stage import DONE, FLAWS, FULL, SHORT, answered, rung_of
from ..stage import asked as asked_stage
from .changed import Changed, change_of
from .flaws import Drill, drill, judged
from .step_state import StepState
from .walk import graded_at, is_before_answer

LABELS = {
    SHORT: "Open the short answer",
    FULL: "Open the full answer",
    FLAWS: "Find the flaws",
    DONE: "Compare",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a step is in its session."""

    position: int
    """Among its steps, from 1; their own numbers may have gaps after an undo."""
    total: int
    done: int

    @classmethod
    def of(cls, step: SessionStep) -> Self:
        steps = list(step.session.steps.values_list("position", "done_at"))
        position = sum(at <= step.position for at, _ in steps)
        return cls(position, len(steps), sum(done is not None for _, done in steps))

    @property
    def is_last(self) -> bool:
        """Nothing else is left to do."""
        return self.total - self.done == 0


@dataclass(frozen=True, slots=True)
class Grading:
    """Of the question or a rung whose answer is open."""

    rung_id: str
    turn: int
    act: Act | None
    back: str
    """When it comes back, in words; "" before the grade."""

    @property
    def word(self) -> str:
        return Grade(self.act.grade).word if self.act else ""


@dataclass(frozen=True, slots=True)
class RungLine:
    """A rung as the ladder shows it: asked now, graded before, or passed over."""

    id: str
    level: str
    level_title: str
    question: SafeString
    answer: SafeString | None
    """None while it is not open."""
    word: str
    """Its grade in this step, or "Known"; "" before."""
    back: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class StepPage:
    state: StepState
    stage: str
    title: SafeString
    question: SafeString
    short: SafeString | None
    full: SafeString | None
    ladder: Sequence[RungLine]
    grading: Grading | None
    changed: Changed | None
    """What is another text than was graded: to keep or to reset before it is asked."""
    next_stage: str | None
    next_label: str
    is_answering: bool
    attempt: str
    drill: Drill | None
    """At the stages of the flaws."""
    is_flagged: bool

    @classmethod
    def of(
        cls,
        state: StepState,
        asked: Mapping[str, str],
        library: Library,
        plan: Plan,
        now: datetime,
    ) -> Self:
        """`asked` is the query of the address: the stage, and marks of statements."""
        stage = state.stage(asked.get("at", ""))
        texts = Texts(state.card, library, renderer_of(library))
        rung_id = rung_of(stage)
        after = state.walk.after(stage)
        answering = is_before_answer(stage)
        changed = state.changed(rung_id) if answering else None
        item = graded_at(stage)
        typed = typed_at(state.step, item or rung_id)
        marks = CardMark.objects.filter(user=plan.user, card_id=state.card.id)
        return cls(
            state=state,
            stage=stage,
            title=texts.inline(state.card.title),
            question=at_home(texts.html(state.card.question), state.card),
            short=shown(texts, state, stage, SHORT),
            full=shown(texts, state, stage, FULL),
            ladder=ladder(texts, state, stage, plan, now),
            grading=grading(state, item, plan, now),
            changed=change_of(changed, state.card) if changed else None,
            next_stage=after,
            next_label=label(state.card, after),
            is_answering=answering,
            attempt=typed,
            drill=drill_of(state, stage, asked, library),
            is_flagged=marks.filter(is_flagged=True).exists(),
        )

    @property
    def rung_id(self) -> str:
        return rung_of(self.stage)

    @property
    def goes_on(self) -> bool:
        """Nothing more must be done here; what is left (the flaws) may be."""
        ungraded = self.grading is not None and self.grading.act is None
        return self.state.walk.is_over and not self.is_answering and not ungraded

    @property
    def grades(self) -> Sequence[Grade]:
        return list(Grade)

    @property
    def is_rung(self) -> bool:
        return bool(self.rung_id)


def typed_at(step: SessionStep, rung_id: str) -> str:
    attempts = Attempt.objects.filter(step=step, rung_id=rung_id)
    return attempts.values_list("text", flat=True).first() or ""


def drill_of(
    state: StepState, stage: str, marks: Mapping[str, str], library: Library
) -> Drill | None:
    if stage not in (FLAWS, DONE):
        return None
    step = state.step
    found = drill(state.card, library, step.session.seed + step.position)
    reasons = typed_at(step, SPOT_THE_FLAW)
    return Drill(judged(found, marks), reasons, is_compared=stage == DONE)


def shown(texts: Texts, state: StepState, stage: str, part: str) -> SafeString | None:
    """The short answer stands above the full one; later stages show neither."""
    if stage not in (SHORT, FULL) or (part == FULL and stage == SHORT):
        return None
    passage = state.card.short if part == SHORT else state.card.full
    return at_home(texts.html(passage, terms=part == FULL), state.card)


def ladder(
    texts: Texts, state: StepState, stage: str, plan: Plan, now: datetime
) -> list[RungLine]:
    """Up to the rung of this stage; nothing at the stages of the question."""
    current = rung_of(stage)
    if not current:
        return []
    levels = texts.library.vocabulary.levels
    lines = []
    for rung in state.card.follow_ups:
        opens = stage == answered(rung.id)
        if opens or asked_stage(rung.id) in state.walk.stages or (
            rung.id in state.walk.known
        ):  # fmt: skip
            act, item = state.grades.get(rung.id), state.items.get(rung.id)
            known = "Known" if rung.id in state.walk.known else ""
            lines.append(
                RungLine(
                    id=rung.id,
                    level=rung.level,
                    level_title=str(levels.get(rung.level, "")),
                    question=texts.inline(rung.title),
                    answer=at_home(texts.html(rung.answer, level=4), state.card)
                    if opens
                    else None,
                    word=Grade(act.grade).word if act else known,
                    back=due_sentence(item, plan, now)
                    if item and (act or known)
                    else "",
                    is_current=rung.id == current,
                )
            )
        if rung.id == current:
            break
    return lines


def grading(
    state: StepState, item: str | None, plan: Plan, now: datetime
) -> Grading | None:
    if item is None:
        return None
    act, known = state.grades.get(item), state.items.get(item)
    back = due_sentence(known, plan, now) if act and known else ""
    return Grading(item, state.turn(item), act, back)


def label(card: Card, stage: str | None) -> str:
    if stage is None:
        return ""
    rung = card.follow_up(rung_of(stage))
    if rung is None:
        return LABELS[stage]
    expected = stage == answered(rung.id)
    return "Open the expected answer" if expected else f"Follow-up {rung.level}"


def at_home(html: SafeString, card: Card) -> SafeString:
    """Footnote marks lead to the card's own page, which has the footnotes."""
    page = reverse("study:card", args=[card.id])
    return mark_safe(html.replace('href="#', f'href="{page}#'))
