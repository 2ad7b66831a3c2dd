"""Where one interview stands: its panel, the candidate's link, what is left to do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Self

from django.conf import settings

from interview.accounts.models import User
from interview.accounts.seat import is_present

from ..models import CandidateLink, CandidateSeat, Interview, Kit, Scorecard

HERE_WITHIN = timedelta(seconds=30)
"""Three times as long as a page that is open takes to say so again."""


@dataclass(frozen=True, slots=True)
class Place:
    """One of the panel."""

    name: str
    is_mine: bool
    is_in: bool
    """Their scorecard is submitted: all that others learn of it here."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Their link, and whether they came by it."""

    link: CandidateLink
    seats: int
    """Browsers that took a seat."""
    seen_at: datetime | None
    """The last time that one of them asked for the page."""
    is_here: bool

    @classmethod
    def of(cls, interview: Interview, now: datetime) -> Self | None:
        """None without a link that opens."""
        links = interview.links.good(now)
        link = links.order_by("-made_at").first()
        if link is None:
            return None
        seats = CandidateSeat.objects.filter(link=link, removed_at=None)
        seen = [each.seen_at for each in seats if each.seen_at]
        last = max(seen, default=None)
        return cls(link, len(seats), last, is_present(last, now, HERE_WITHIN))


@dataclass(frozen=True, slots=True)
class InterviewPage:
    interview: Interview
    questions: int
    minutes: int
    asked: int
    """Questions that were put."""
    panel: Sequence[Place]
    candidate: Candidate | None
    may_manage: bool
    may_read_kit: bool
    keep_days: int

    @classmethod
    def of(cls, interview: Interview, person: User, now: datetime) -> Self:
        asked = list(interview.in_order())
        cards = Scorecard.objects.in_().filter(interview=interview)
        submitted = set(cards.values_list("interviewer_id", flat=True))
        return cls(
            interview=interview,
            questions=len(asked),
            minutes=sum(each.question.minutes for each in asked),
            asked=sum(each.asked_at is not None for each in asked),
            panel=[
                Place(each.name, each.pk == person.pk, each.pk in submitted)
                for each in interview.members()
            ],
            candidate=Candidate.of(interview, now),
            may_manage=Interview.objects.managed_by(person)
            .filter(pk=interview.pk)
            .exists(),
            may_read_kit=Kit.objects.visible_to(person)
            .filter(pk=interview.version.kit_id)
            .exists(),
            keep_days=settings.BANK_KEEP_DAYS,
        )

    @property
    def mine(self) -> Place | None:
        """The place of whoever looks; None who is not on the panel."""
        return next((place for place in self.panel if place.is_mine), None)

    @property
    def may_link(self) -> bool:
        """Of somebody anonymous nobody knows whom to send a link."""
        return self.may_manage and self.interview.anonymised_at is None

    @property
    def submitted(self) -> int:
        return sum(place.is_in for place in self.panel)

    @property
    def deleted_on(self) -> date:
        """The first day on which it is not kept any more."""
        return self.interview.held_on + timedelta(days=self.keep_days + 1)
