"""Where one card is and was used: interviews, versions of its text, kits."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from django.db.models import Count, Exists, Max, OuterRef, Q

from interview.accounts.models import User
from interview.cards.card import Card
from interview.web.models import CardVersion

from ..models import Asked, Interview, Kit, KitQuestion, Score
from ..spread import SpreadFigure
from .use import NEVER, Use, counting, spread_of

SHOWN = 20


@dataclass(frozen=True, slots=True)
class VersionUse:
    """A text of the card, as kits froze it."""

    name: str
    """The first digits of its hash."""
    kept_at: datetime | None
    is_current: bool
    use: Use
    figure: SpreadFigure


@dataclass(frozen=True, slots=True)
class KitUse:
    """A kit by its newest version that holds the card."""

    question: KitQuestion
    newest: int
    """The number of the kit's newest version."""

    @property
    def kit(self) -> Kit:
        return self.question.version.kit

    @property
    def is_former(self) -> bool:
        """Whether the kit leaves the card out by now."""
        return self.question.version.number < self.newest


@dataclass(frozen=True, slots=True)
class History:
    use: Use
    figure: SpreadFigure
    asked: Sequence[Asked]
    """The last ones in interviews that the reader may see."""
    others: int
    """How often it was asked beside them."""
    versions: Sequence[VersionUse]
    """What was asked last comes first."""
    kits: Sequence[KitUse]

    @classmethod
    def of(cls, card: Card, reader: User, today: date) -> Self:
        """Five queries."""
        versions = _versions(card, today)
        use = _together([each.use for each in versions])
        # Looked up one by one: the index gives the last ones first.
        here = Q(pk=OuterRef("interview"))
        asked = list(
            Asked.objects.filter(card_id=card.id, asked_at__isnull=False)
            .filter(Exists(Interview.objects.visible_to(reader).filter(here)))
            .select_related("interview", "question__version__kit")
            .order_by("-asked_at")[:SHOWN]
        )
        return cls(
            use=use,
            figure=SpreadFigure.of(use.spread),
            asked=asked,
            others=max(0, use.times - len(asked)),
            versions=versions,
            kits=_kits(card, reader),
        )


def _versions(card: Card, today: date) -> list[VersionUse]:
    asked = Asked.objects.filter(card_id=card.id).exclude(asked_at=None).order_by()
    by_hash = asked.values_list("question__card_hash").annotate(
        times=Count("*"), last=Max("asked_at")
    )
    scores = counting(Score.objects.filter(card_id=card.id), today).order_by()
    rated = scores.values_list("asked__question__card_hash", "rating")
    counts: dict[str, Counter[int]] = {}
    for card_hash, rating, count in rated.annotate(n=Count("*")):
        counts.setdefault(card_hash, Counter())[rating] = count
    found = {row[0]: row[1:] for row in by_hash.order_by("-last")}
    kept = dict(CardVersion.objects.filter(pk__in=found).values_list("pk", "kept_at"))
    uses = {
        card_hash: Use(times, last, spread_of(counts.get(card_hash, {})))
        for card_hash, (times, last) in found.items()
    }
    return [
        VersionUse(
            name=card_hash[:8],
            kept_at=kept.get(card_hash),
            is_current=card_hash == card.version,
            use=use,
            figure=SpreadFigure.of(use.spread),
        )
        for card_hash, use in uses.items()
    ]


def _together(uses: Sequence[Use]) -> Use:
    counts: Counter[int] = Counter()
    for use in uses:
        counts.update(dict(enumerate(use.spread.counts)))
    last = max((use.last for use in uses if use.last), default=NEVER.last)
    return Use(sum(use.times for use in uses), last, spread_of(counts))


def _kits(card: Card, reader: User) -> list[KitUse]:
    holding = (
        KitQuestion.objects.filter(card_id=card.id)
        .filter(version__kit__in=Kit.objects.visible_to(reader))
        .select_related("version__kit")
        .annotate(newest=Max("version__kit__versions__number"))
        .order_by("version__kit__title", "version__kit", "-version__number")
    )
    found: dict[object, KitUse] = {}
    for each in holding:
        found.setdefault(each.version.kit_id, KitUse(each, each.newest))
    return list(found.values())
