"""Problems found in content, and the notes in which a reader collects them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    ERROR = "error"
    NOTICE = "notice"


class Place(NamedTuple):
    """A position in a file; both numbers count from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule. `sentence` is a format string, filled for each problem."""

    code: str
    name: str
    sentence: str
    hint: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Problem:
    rule: Rule
    path: str
    place: Place
    message: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.place.line}:{self.place.column}"
        rule = f"{self.rule.code} {self.rule.severity}"
        return f"{where}: {rule}: {self.message} {self.rule.hint}"

    def as_json(self) -> dict[str, str | int]:
        return {
            "path": self.path,
            "line": self.place.line,
            "column": self.place.column,
            "rule": self.rule.code,
            "name": self.rule.name,
            "severity": str(self.rule.severity),
            "message": self.message,
            "hint": self.rule.hint,
        }


@dataclass(slots=True)
class Notes:
    """Collects the problems of one file."""

    path: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, rule: Rule, place: Place, **words: object) -> None:
        message = rule.sentence.format(**words)
        self.problems.append(Problem(rule, self.path, place, message))

    @property
    def broken(self) -> bool:
        return has_errors(self.problems)


def has_errors(problems: Iterable[Problem]) -> bool:
    return first_error(problems) is not None


def first_error(problems: Iterable[Problem]) -> Problem | None:
    errors = (p for p in problems if p.rule.severity is Severity.ERROR)
    return next(errors, None)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """The problems once each, by file, line, column and rule."""
    return sorted(
        set(problems), key=lambda p: (p.path, p.place, p.rule.code, p.message)
    )
