"""What the timed pass shows of a question: no answer, no title, nothing ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.utils.safestring import SafeString

from interview.cards.card import Audience, Card, FollowUp
from interview.cards.library import Library
from interview.cards.render import Renderer
from interview.web.card_texts import Texts
from interview.web.clock import Clock

from ..models import Attempt, Mock, SessionStep
from ..models.mock import next_rung, was_asked
from ..stage import rung_of


@dataclass(frozen=True, slots=True)
class AskedRung:
    id: str
    level: str
    level_title: str
    question: SafeString
    typed: str


@dataclass(frozen=True, slots=True)
class TimedPage:
    mock: Mock
    position: int
    count: int
    """Questions of the mock."""
    question: SafeString
    """"" when the card left the content meanwhile."""
    typed: str
    """At the question."""
    rungs: Sequence[AskedRung]
    """Those that were asked; the person is at the last one."""
    leads_to: str
    """What the button says that goes on."""
    clock: Clock
    whole: Clock

    @classmethod
    def of(
        cls,
        mock: Mock,
        step: SessionStep,
        library: Library,
        renderer: Renderer,
        now: datetime,
    ) -> Self:
        card = library.visible(step.card_id, Audience.CANDIDATE)
        typed = typed_at(step)
        rungs: list[AskedRung] = []
        if card:
            texts = Texts(card, library, renderer)
            rungs = [
                _rung(rung, texts, typed)
                for item in was_asked(step, card, mock.level)
                if (rung := card.follow_up(item))
            ]
        return cls(
            mock=mock,
            position=step.position,
            count=mock.in_order().count(),
            question=texts.html(card.question) if card else SafeString(),
            typed=typed.get("", ""),
            rungs=rungs,
            leads_to=_leads_to(mock, step, card),
            clock=Clock.of(step.asked_at or now, step.minutes, now),
            whole=Clock.of(mock.started_at, mock.planned_minutes(), now),
        )

    @property
    def here(self) -> str:
        """The id of the rung that is asked; "" while it is the question."""
        return self.rungs[-1].id if self.rungs else ""

    @property
    def typed_here(self) -> str:
        return self.rungs[-1].typed if self.rungs else self.typed


def _leads_to(mock: Mock, step: SessionStep, card: Card | None) -> str:
    if next_rung(card, mock.level, rung_of(step.stage)) is not None:
        return "Next follow-up"
    ahead = mock.in_order().filter(asked_at=None).exists()
    return "Next question" if ahead else "Finish the interview"


def typed_at(step: SessionStep) -> dict[str, str]:
    """What was typed at a question, "", and at its rungs, by id."""
    rows = Attempt.objects.filter(step=step)
    return dict(rows.values_list("rung_id", "text"))


def _rung(rung: FollowUp, texts: Texts, typed: dict[str, str]) -> AskedRung:
    levels = texts.library.vocabulary.levels
    return AskedRung(
        id=rung.id,
        level=rung.level,
        level_title=str(levels.get(rung.level, "")),
        question=texts.inline(rung.title),
        typed=typed.get(rung.id, ""),
    )
