"""The list of kits: what each asks, and how often it was used."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from django.core.paginator import Page, Paginator
from django.db.models import Count

from interview.accounts.models import User
from interview.cards.card import Card
from interview.cards.library import Library

from ..models import Interview, Kit, KitQuestion, KitVersion

KITS_A_PAGE = 25


@dataclass(frozen=True, slots=True)
class Row:
    kit: Kit
    version: KitVersion
    """The newest."""
    is_own: bool
    questions: int
    minutes: int
    levels: Sequence[str]
    """Of the follow-ups that are asked, by the cards of today."""
    topics: Sequence[str]
    role: str
    used: int
    """In so many interviews, of any version."""


@dataclass(frozen=True, slots=True)
class KitList:
    rows: Sequence[Row]
    shown: Page[Kit]
    retired: bool
    """Whether it shows those that are out of use, or those that are in it."""

    @classmethod
    def of(cls, person: User, page: str, retired: bool, library: Library) -> Self:
        """Five queries. `page` is a number as typed; nonsense is the first page."""
        kits = Kit.objects.visible_to(person).filter(retired_at__isnull=not retired)
        kits = kits.select_related("owner")
        shown = Paginator(kits, KITS_A_PAGE).get_page(page)
        ids = [kit.pk for kit in shown]
        # The last one of a kit is its newest.
        versions = (
            KitVersion.objects.filter(kit__in=ids).order_by("number").defer("notes")
        )
        newest = {version.kit_id: version for version in versions}
        asked = defaultdict(list)
        questions = KitQuestion.objects.filter(version__in=newest.values())
        for question in questions.defer("notes"):
            asked[question.version_id].append(question)
        used = dict(
            Interview.objects.filter(version__kit__in=ids)
            .order_by()
            .values_list("version__kit")
            .annotate(Count("pk"))
        )
        rows = [
            _row(
                kit,
                newest[kit.pk],
                asked[newest[kit.pk].pk],
                library,
                is_own=kit.owner_id == person.pk,
                used=used.get(kit.pk, 0),
            )
            for kit in shown
        ]
        return cls(rows, shown, retired)

    @property
    def query_before(self) -> str:
        """Of the address of the page before; "" on the first."""
        return self._query(-1) if self.shown.has_previous() else ""

    @property
    def query_after(self) -> str:
        return self._query(1) if self.shown.has_next() else ""

    def _query(self, step: int) -> str:
        which = "retired=1&" if self.retired else ""
        return f"?{which}page={self.shown.number + step}"


def _row(
    kit: Kit,
    version: KitVersion,
    questions: Sequence[KitQuestion],
    library: Library,
    *,
    is_own: bool,
    used: int,
) -> Row:
    words, cards = library.vocabulary, library.cards
    known = [(each, cards[each.card_id]) for each in questions if each.card_id in cards]
    levels = {rung.level for each, card in known for rung in each.follow_ups(card)}
    return Row(
        kit=kit,
        version=version,
        is_own=is_own,
        questions=len(questions),
        minutes=sum(each.minutes for each in questions),
        levels=sorted(levels),
        topics=_topics((card for _, card in known), library),
        role=str(words.roles.get(version.role, version.role)) or "Every role",
        used=used,
    )


def _topics(cards: Iterable[Card], library: Library) -> list[str]:
    """Of each card the first, in the order of the vocabulary."""
    here = {card.topics[0] for card in cards}
    topics = library.vocabulary.topics
    return [str(word) for slug, word in topics.items() if slug in here]
