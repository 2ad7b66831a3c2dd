"""A question in the grading pass: what was said beside what was expected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString

from interview.cards.card import Card
from interview.cards.library import Library
from interview.cards.render import Footnote, Renderer
from interview.recall.grade import Grade
from interview.web.card_texts import Texts, WrongView

from .question import Graded, Question
from .timed import typed_at


@dataclass(frozen=True, slots=True)
class GradedItem:
    id: str
    """Of the rung; "" for the question."""
    anchor: str
    level: str
    """"" for the question."""
    level_title: str
    asked: SafeString
    expected: SafeString
    more: SafeString
    """The full answer; "" for a rung."""
    typed: str
    graded: Graded


@dataclass(frozen=True, slots=True)
class GradingPage:
    question: Question
    title: SafeString
    items: Sequence[GradedItem]
    wrongs: Sequence[WrongView]
    footnotes: Sequence[Footnote]

    grades = tuple(Grade)

    @classmethod
    def of(cls, question: Question, library: Library, renderer: Renderer) -> Self:
        card = question.card
        if card is None:
            return cls(question, SafeString(), (), (), ())
        texts = Texts(card, library, renderer)
        typed = typed_at(question.step)
        items = [_first(question, card, texts, typed.get("", ""))]
        rungs = {rung.id: rung for rung in texts.rungs()}
        for rung_id in question.asked[1:]:
            rung = rungs[rung_id]
            items.append(
                GradedItem(
                    id=rung.id,
                    anchor=f"rung-{rung.id}",
                    level=rung.level,
                    level_title=rung.level_title,
                    asked=rung.question,
                    expected=rung.answer,
                    more=SafeString(),
                    typed=typed.get(rung.id, ""),
                    graded=question.graded(rung.id),
                )
            )
        return cls(
            question=question,
            title=texts.inline(card.title),
            items=items if question.asked else [],
            wrongs=texts.wrongs(),
            footnotes=renderer.footnotes(card.sources),
        )

    @property
    def said(self) -> list[str]:
        return self.question.step.said.split()

    @property
    def now(self) -> GradedItem | None:
        """What is to be graded next."""
        return next((item for item in self.items if not item.graded.grade), None)

    @property
    def last(self) -> GradedItem | None:
        """What was graded last; the ids of acts sort by time."""
        graded = [(item.graded.act_id, item) for item in self.items]
        found = [(act_id, item) for act_id, item in graded if act_id]
        return max(found, key=lambda pair: pair[0])[1] if found else None


def _first(question: Question, card: Card, texts: Texts, typed: str) -> GradedItem:
    return GradedItem(
        id="",
        anchor="question",
        level="",
        level_title="",
        asked=texts.html(card.question),
        expected=texts.html(card.short),
        more=texts.html(card.full),
        typed=typed,
        graded=question.graded(""),
    )
