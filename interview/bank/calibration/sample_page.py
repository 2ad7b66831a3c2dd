"""One sample beside its card's anchors, and what the panel gave once oneself did.
Knows no request."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Self

from django.utils.safestring import SafeString

from interview.accounts.models import User
from interview.cards.card import Card
from interview.cards.library import Library
from interview.cards.render import Footnote, Renderer
from interview.rating.rating import Spread
from interview.rating.words import level_word
from interview.web.card_texts import RungView, Texts, WrongView

from ..models import Sample, SampleRating
from ..spread import SpreadFigure
from .drift import Drift


@dataclass(frozen=True, slots=True)
class Given:
    rater: User
    name: str
    """Of the rating."""
    reason: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Panel:
    given: Sequence[Given]
    """Farthest from the middle first."""
    figure: SpreadFigure
    drift: Drift
    """The reader's own."""

    @classmethod
    def of(cls, sample: Sample, reader: User) -> Self | None:
        """None before the reader's own rating."""
        opened = SampleRating.objects.open_to(reader).filter(sample=sample)
        ratings = list(opened.select_related("user").order_by("at", "pk"))
        own = next((each for each in ratings if each.user_id == reader.pk), None)
        if own is None:
            return None
        values = [each.rating for each in ratings]
        middle = median(values)
        ratings.sort(key=lambda each: -abs(each.rating - middle))
        return cls(
            given=[
                Given(each.user, level_word(each.rating), each.reason, each == own)
                for each in ratings
            ],
            figure=SpreadFigure.of(Spread.of(values)),
            drift=Drift.of(
                own.rating, [each.rating for each in ratings if each != own]
            ),
        )


@dataclass(frozen=True, slots=True)
class SamplePage:
    sample: Sample
    title: str | SafeString
    """Of the card."""
    is_old: bool
    """Whether the card reads otherwise today, or is gone."""
    question: SafeString
    rungs: Sequence[RungView]
    wrongs: Sequence[WrongView]
    footnotes: Sequence[Footnote]

    @classmethod
    def of(
        cls, sample: Sample, card: Card | None, library: Library, renderer: Renderer
    ) -> Self:
        """`card` as it was when the sample was written; None when it cannot be read."""
        if card is None:
            return cls(sample, sample.card_id, True, SafeString(), (), (), ())
        texts = Texts(card, library, renderer)
        today = library.cards.get(card.id)
        return cls(
            sample=sample,
            title=texts.inline(card.title),
            is_old=today is None or today.version != sample.card_hash,
            question=texts.html(card.question),
            rungs=texts.rungs(),
            wrongs=texts.wrongs(),
            footnotes=renderer.footnotes(card.sources),
        )
