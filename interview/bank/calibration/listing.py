"""The samples of a calibration: what waits for one's own rating, and how far the
panel is apart on the rest. Knows no request."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.db.models import Count

from interview.accounts.models import User
from interview.cards.library import Library
from interview.rating.rating import Spread
from interview.rating.words import level_word

from ..models import Sample, SampleRating
from ..spread import SpreadFigure
from .drift import Drift, said_of


@dataclass(frozen=True, slots=True)
class Line:
    sample: Sample
    card_title: str
    raters: int


@dataclass(frozen=True, slots=True)
class RatedLine:
    line: Line
    own: str
    figure: SpreadFigure
    drift: Drift

    @property
    def width(self) -> int:
        return self.figure.spread.width or 0


@dataclass(frozen=True, slots=True)
class SamplesPage:
    waiting: Sequence[Line]
    """Not rated by the reader."""
    rated: Sequence[RatedLine]
    """Widest spread first."""
    retired: Sequence[Line]
    said: str
    """Of the reader's own drift, for their eyes alone."""

    @classmethod
    def of(cls, reader: User, library: Library) -> Self:
        """Three queries."""
        given: dict[object, dict[object, int]] = defaultdict(dict)
        for each in SampleRating.objects.open_to(reader):
            given[each.sample_id][each.user_id] = each.rating
        counted = SampleRating.objects.order_by().values_list("sample_id")
        raters = dict(counted.annotate(n=Count("pk")))
        lines = [
            Line(each, _title(each, library), raters.get(each.pk, 0))
            for each in Sample.objects.all()
        ]
        in_use = [line for line in lines if not line.sample.retired_at]
        rated = [
            _rated(line, given[line.sample.pk], reader)
            for line in in_use
            if line.sample.pk in given
        ]
        return cls(
            waiting=[line for line in in_use if line.sample.pk not in given],
            rated=sorted(rated, key=lambda each: -each.width),
            retired=[line for line in lines if line.sample.retired_at],
            said=said_of([each.drift for each in rated]),
        )


def _title(sample: Sample, library: Library) -> str:
    card = library.cards.get(sample.card_id)
    return card.title_text if card else sample.card_id


def _rated(line: Line, given: dict[object, int], reader: User) -> RatedLine:
    own = given[reader.pk]
    others = [rating for user, rating in given.items() if user != reader.pk]
    return RatedLine(
        line=line,
        own=level_word(own),
        figure=SpreadFigure.of(Spread.of(list(given.values()))),
        drift=Drift.of(own, others),
    )
