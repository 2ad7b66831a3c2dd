"""What is stored about a person's study, in numbers."""

from dataclasses import dataclass
from typing import Self

from interview.accounts.models import User
from interview.web.numbers import counted

from ..models import Act, Attempt, CardMark, Item, Plan, Session


@dataclass(frozen=True, slots=True)
class Stored:
    has_plan: bool
    sessions: int
    acts: int
    grades: int
    items: int
    attempts: int
    marks: int
    notes: int

    @classmethod
    def of(cls, person: User) -> Self:
        acts = Act.objects.of(person)
        marks = CardMark.objects.filter(user=person)
        return cls(
            has_plan=Plan.objects.filter(user=person).exists(),
            sessions=Session.objects.of(person).count(),
            acts=acts.count(),
            grades=acts.grades().count(),
            items=Item.objects.of(person).count(),
            attempts=Attempt.objects.filter(user=person).count(),
            marks=marks.count(),
            notes=marks.exclude(note="").count(),
        )

    def __bool__(self) -> bool:
        counts = (self.sessions, self.acts, self.attempts, self.marks)
        return self.has_plan or any(counts)

    def lines(self) -> list[tuple[str, str]]:
        """What it is, and how much of it there is."""
        return [
            ("Your plan", "one" if self.has_plan else "none yet"),
            ("Sessions and mock interviews", counted(self.sessions, "session")),
            (
                "The log of what you did in them",
                f"{counted(self.acts, 'act')}, of them {counted(self.grades, 'grade')}",
            ),
            ("Your schedule, made from the log", counted(self.items, "item")),
            ("What you typed before an answer", counted(self.attempts, "attempt")),
            (
                "Notes, flags and cards set aside",
                f"{counted(self.marks, 'card')}, {counted(self.notes, 'note')}",
            ),
        ]
