"""The list of interviews: which are asked for, and where each stands."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Self
from uuid import UUID

from django.core.paginator import Page, Paginator

from interview.accounts.models import User

from ..kits.names import names_of
from ..models import Interview, Kit, PanelMember, Scorecard
from ..models.interview import NAME_LENGTH, Interviews

SHOWN = 50
STATES = {"open": "not over yet", "over": "over"}
WHOSE = {"panel": "with me on the panel", "mine": "set up by me"}


@dataclass(frozen=True, slots=True)
class Filters:
    """What is "" or None leaves nothing out; nonsense counts as that."""

    words: str = ""
    """Of the candidate's name."""
    kit: UUID | None = None
    state: str = ""
    whose: str = ""

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> Self:
        def one(name: str) -> str:
            return str(query.get(name, "")).replace("\0", "").strip()

        state, whose = one("state"), one("whose")
        return cls(
            words=one("q")[:NAME_LENGTH],
            kit=key_of(one("kit")),
            state=state if state in STATES else "",
            whose=whose if whose in WHOSE else "",
        )

    def __bool__(self) -> bool:
        return self != Filters()

    def of_interviews(self, interviews: Interviews, person: User) -> Interviews:
        found = interviews
        if self.words:
            found = found.filter(candidate__icontains=self.words)
        if self.kit:
            found = found.filter(version__kit=self.kit)
        if self.state:
            found = found.filter(ended_at__isnull=self.state == "open")
        if self.whose == "panel":
            found = found.judged_by(person)
        if self.whose == "mine":
            found = found.filter(owner=person)
        return found


def key_of(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Row:
    interview: Interview
    panel: Sequence[str]
    """Names."""
    submitted: int
    """Scorecards."""
    awaits_me: bool
    """Whoever looks sits on the panel and has not submitted."""

    @property
    def stands(self) -> str:
        if self.interview.is_over:
            return "over"
        return "running" if self.interview.started_at else "planned"


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list, by a constant number of queries."""

    rows: Sequence[Row]
    filters: Filters
    page: Page[UUID]
    """Of ids: whole rows are sorted far more slowly."""
    kits: Mapping[UUID, str]
    """Names by id."""

    @classmethod
    def of(cls, person: User, query: Mapping[str, Any], today: date) -> Self:
        filters = Filters.of(query)
        seen = Interview.objects.visible_to(person)
        found = filters.of_interviews(seen, person).listed(today)
        ids = found.values_list("pk", flat=True)
        page = Paginator(ids, SHOWN).get_page(query.get("page"))
        shown = Interview.objects.select_related("version__kit").in_bulk(page)
        return cls(
            rows=rows_of([shown[pk] for pk in page], person),
            filters=filters,
            page=page,
            kits=names_of(Kit.objects.visible_to(person).select_related("owner")),
        )


def rows_of(interviews: Sequence[Interview], person: User) -> list[Row]:
    panel: dict[UUID, list[User]] = defaultdict(list)
    members = PanelMember.objects.filter(interview__in=interviews)
    for member in members.select_related("user").order_by("user__name_key"):
        panel[member.interview_id].append(member.user)
    submitted = Scorecard.objects.in_().filter(interview__in=interviews)
    cards = list(submitted.values_list("interview_id", "interviewer_id"))
    counts = Counter(interview_id for interview_id, _ in cards)
    return [
        Row(
            interview=each,
            panel=[member.name for member in panel[each.pk]],
            submitted=counts[each.pk],
            awaits_me=awaits(person, panel[each.pk])
            and (each.pk, person.pk) not in cards,
        )
        for each in interviews
    ]


def awaits(person: User, panel: Iterable[User]) -> bool:
    return any(each.pk == person.pk for each in panel)
