"""What the file holds of a person: a list for each kind of row, and its columns.

A step has no key of its own in the file: it is the session and the position in it.
Items are left out, since the log gives them.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Model, QuerySet

from interview.web.models import CardVersion

from ..models import Act, Attempt, CardMark, Plan, Session, SessionStep
from .columns import Column, column, or_null, read_uuid

if TYPE_CHECKING:
    from interview.accounts.models import User

FORMAT = "prefill-study/1"
REFERENCES = {"user", "session", "step", "undoes"}
POSITION = column(SessionStep._meta.get_field("position"))


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    """Its key in the file."""
    title: str
    """For a page."""
    model: type[Model]
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    """Columns that name a row of one person."""
    owner: str = "user"
    """The way from a row to its person."""

    def of(self, person: "User") -> "QuerySet[Any]":
        """The person's rows, oldest first."""
        rows: QuerySet[Any] = self.model._default_manager.all()
        if self.model is CardVersion:
            mine = Act.objects.of(person).exclude(card_version="")
            named = mine.values("card_version")
            return rows.filter(hash__in=named).order_by("hash")
        return rows.filter(**{self.owner: person}).order_by(*self.key)

    @property
    def paths(self) -> list[str]:
        return [each.path for each in self.columns]


def own_columns(model: type[Model], *, without: Collection[str] = ()) -> list[Column]:
    """All that the table has, but keys that the database counts and references."""
    left_out = REFERENCES | set(without)
    fields = [f for f in model._meta.concrete_fields if f.name not in left_out]
    return [column(field) for field in fields]


def reference(name: str, path: str) -> Column:
    return Column(name, path, or_null(read_uuid), None)


def position(path: str) -> Column:
    return Column("position", path, or_null(POSITION.read), None)


PLANS = Kind("plan", "Plan", Plan, tuple(own_columns(Plan)), ())
SESSIONS = Kind("sessions", "Sessions", Session, tuple(own_columns(Session)), ("id",))
STEPS = Kind(
    "steps",
    "Steps of sessions",
    SessionStep,
    (
        Column("session", "session_id", read_uuid),
        *own_columns(SessionStep, without={"id"}),
    ),
    ("session", "position"),
    "session__user",
)
ACTS = Kind(
    "acts",
    "Acts of the log",
    Act,
    (
        *own_columns(Act),
        reference("session", "session_id"),
        position("step__position"),
        reference("undoes", "undoes_id"),
    ),
    ("id",),
)
ATTEMPTS = Kind(
    "attempts",
    "Typed attempts",
    Attempt,
    (
        *own_columns(Attempt),
        reference("session", "step__session_id"),
        position("step__position"),
    ),
    ("id",),
)
MARKS = Kind(
    "marks",
    "Notes, flags and cards set aside",
    CardMark,
    tuple(own_columns(CardMark)),
    ("id",),
)
VERSIONS = Kind(
    "card_versions",
    "Cards as they were",
    CardVersion,
    tuple(own_columns(CardVersion, without={"kept_at"})),
    ("hash",),
)
KINDS = (PLANS, SESSIONS, STEPS, ACTS, ATTEMPTS, MARKS, VERSIONS)
"""In the order in which they are written; each names only what stands before it."""
