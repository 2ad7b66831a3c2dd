"""A version of a kit to read and to print: what is asked, and the anchors."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from django.utils.safestring import SafeString

from interview.cards.card import Card
from interview.cards.library import Library
from interview.cards.render import Renderer
from interview.web.card_texts import RungView, Texts, WrongView

from ..frozen import cards_of
from ..models import Interview, Kit, KitQuestion, KitVersion
from .coverage import Coverage
from .difference import Side, differences


@dataclass(frozen=True, slots=True)
class QuestionView:
    asked: KitQuestion
    card: Card | None
    """None when it left the content and no interview ever used it."""
    is_there: bool
    """Whether the content still has it, so that a link to it leads somewhere."""
    title: SafeString | str
    question: SafeString
    short: SafeString
    rungs: Sequence[RungView]
    """Those that are asked."""
    wrongs: Sequence[WrongView]

    @classmethod
    def of(
        cls, asked: KitQuestion, card: Card | None, library: Library, renderer: Renderer
    ) -> Self:
        if card is None:
            nothing = SafeString()
            return cls(asked, None, False, asked.card_id, nothing, nothing, (), ())
        # Marks of sources would lead nowhere: there are no footnotes beside them.
        texts = Texts(replace(card, sources=()), library, renderer)
        chosen = asked.rungs_named
        return cls(
            asked=asked,
            card=card,
            is_there=card.id in library.cards,
            title=texts.inline(card.title),
            question=texts.html(card.question),
            short=texts.html(card.short),
            rungs=[rung for rung in texts.rungs() if rung.id in chosen],
            wrongs=texts.wrongs(),
        )


@dataclass(frozen=True, slots=True)
class VersionPage:
    kit: Kit
    version: KitVersion
    is_newest: bool
    others: Sequence[KitVersion]
    """All of the kit, newest first."""
    used: int
    """Interviews with this version."""
    role: str
    level: str
    questions: Sequence[QuestionView]
    coverage: Coverage
    before: KitVersion | None
    differences: Sequence[str]
    """From the one before; empty for the first."""

    @classmethod
    def of(
        cls, kit: Kit, version: KitVersion, library: Library, renderer: Renderer
    ) -> Self:
        words = library.vocabulary
        others = list(kit.versions.order_by("-number"))
        here = _side(version)
        before = next((o for o in others if o.number == version.number - 1), None)
        lines = [each.line for each in here.questions]
        return cls(
            kit=kit,
            version=version,
            is_newest=version.number == others[0].number,
            others=others,
            used=Interview.objects.filter(version=version).count(),
            role=str(words.roles.get(version.role, version.role)) or "Every role",
            level=f"{version.level} {words.levels.get(version.level, '')}",
            questions=[
                QuestionView.of(each, here.cards.get(each.card_id), library, renderer)
                for each in here.questions
            ],
            coverage=Coverage.of(lines, here.cards, words),
            before=before,
            differences=differences(_side(before), here, words) if before else (),
        )


def _side(version: KitVersion) -> Side:
    questions = list(version.in_order())
    return Side(version, questions, cards_of(questions))
