"""What a file would add to what a person has, before anything is added."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interview.accounts.models import User

from ..models import ActKind
from .kinds import ACTS, ATTEMPTS, KINDS, MARKS, VERSIONS, Kind
from .owned import Rows, existing_versions, owned, rows_here
from .reading import Document, Problem, Row

type Claim = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Part:
    kind: Kind
    new: Sequence[Row]
    same: int
    different: Sequence[Problem]
    """Rows that are left as they are here, and in what the file's differ."""


@dataclass(frozen=True, slots=True)
class Difference:
    parts: Sequence[Part]
    problems: Sequence[Problem]
    """What cannot be used, with its place in the file."""

    @property
    def new(self) -> int:
        return sum(len(part.new) for part in self.parts)

    @property
    def different(self) -> list[Problem]:
        return [one for part in self.parts for one in part.different]

    def part(self, kind: Kind) -> Part:
        return next(part for part in self.parts if part.kind is kind)

    @property
    def digest(self) -> str:
        """Of all that a page shows of it: another one when anything else would be."""
        digest = hashlib.sha256()
        for part in self.parts:
            keys = [
                [str(row.values[name]) for name in part.kind.key] for row in part.new
            ]
            left = [(one.place, one.sentence) for one in part.different]
            digest.update(repr((part.kind.name, keys, part.same, left)).encode())
        digest.update(repr([(p.place, p.sentence) for p in self.problems]).encode())
        return digest.hexdigest()


def difference(document: Document, person: User) -> Difference:
    here = rows_here(person)
    rows, problems = owned(document, person, here)
    parts = []
    for kind in KINDS:
        if kind is VERSIONS:
            part, unnamed = compared_versions(rows)
            problems += unnamed
        else:
            part = Comparison(kind, here[kind.name]).part(rows[kind.name])
        parts.append(part)
    return Difference(parts, [*document.problems, *problems])


class Comparison:
    """The rows of one kind against those here; the first of two rivals stays."""

    def __init__(self, kind: Kind, here: Rows) -> None:
        self._kind, self._here = kind, here
        self._names = [column.name for column in kind.columns]
        self._claimed: set[Claim] = set()
        self._kinds: dict[Any, str] = {}
        for values in here.values():
            self._add(dict(zip(self._names, values, strict=True)))

    def part(self, rows: Sequence[Row]) -> Part:
        new: list[Row] = []
        different: list[Problem] = []
        same = 0
        # An undo comes after what it takes back, wherever it stands in the file.
        for row in sorted(rows, key=lambda row: row.values.get("undoes") is not None):
            values = row.values
            kept = self._here.get(tuple(values[name] for name in self._kind.key))
            if kept is not None:
                wrong = self._differing(values, kept)
                same += not wrong
            else:
                wrong = self._rival(values)
                if not wrong:
                    new.append(row)
                    self._add(values)
            if wrong:
                different.append(Problem(row.place, wrong))
        return Part(self._kind, new, same, different)

    def _add(self, values: Mapping[str, Any]) -> None:
        self._claimed.update(claims(self._kind, values))
        if self._kind is ACTS:
            self._kinds[values["id"]] = values["kind"]

    def _differing(self, values: Mapping[str, Any], kept: Sequence[Any]) -> str:
        pairs = zip(self._names, kept, strict=True)
        names = [name for name, value in pairs if values[name] != value]
        return f"differs from what is here in {', '.join(names)}" if names else ""

    def _rival(self, values: Mapping[str, Any]) -> str:
        if self._claimed.intersection(claims(self._kind, values)):
            return RIVALS[self._kind.name]
        undone = values.get("undoes")
        if undone and self._kinds.get(undone, ActKind.UNDO) == ActKind.UNDO:
            return "takes back what is not here, or is an undo itself"
        return ""


RIVALS = {
    "acts": "says of a step, or of an act, what another one here says already",
    "attempts": "is of a step for which another one is here",
    "marks": "is of a card for which another one is here",
}


def claims(kind: Kind, row: Mapping[str, Any]) -> list[Claim]:
    """What only one row may have, as the tables demand it."""
    step = (row.get("session"), row.get("position"))
    in_step = step[1] is not None
    if kind is ACTS and row["kind"] == ActKind.GRADE and in_step:
        return [("grade", *step, row["card_id"], row["rung_id"], row["turn"])]
    if kind is ACTS and row["undoes"]:
        return [("undo", row["undoes"])]
    if kind is ATTEMPTS and in_step:
        return [("attempt", *step, row["rung_id"])]
    return [("mark", row["card_id"])] if kind is MARKS else []


def compared_versions(
    rows: Mapping[str, Sequence[Row]],
) -> tuple[Part, list[Problem]]:
    """A card as it was is everybody's here: it is kept when an act names it."""
    named = {row.values["card_version"] for row in rows[ACTS.name]}
    found = rows[VERSIONS.name]
    wanted = [row for row in found if row.values["hash"] in named]
    unnamed = [
        Problem(row.place, "is named by no act of this file")
        for row in found
        if row.values["hash"] not in named
    ]
    kept = existing_versions({row.values["hash"] for row in wanted})
    new = [row for row in wanted if row.values["hash"] not in kept]
    return Part(VERSIONS, new, len(wanted) - len(new), []), unnamed
