"""The rows of a file under the keys that they have, or get, with one person.

A key that is somebody else's here gives way to one made of the person's and the old
one, so that a file can be brought in by two people, and twice by one of them.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import batched
from typing import Any
from uuid import UUID, uuid5

from interview.accounts.models import User
from interview.web.models import CardVersion

from .kinds import ACTS, ATTEMPTS, KINDS, MARKS, SESSIONS, STEPS, VERSIONS, Kind
from .reading import Document, Problem, Row

type Rows = dict[tuple[Any, ...], tuple[Any, ...]]
AT_ONCE = 500


def rows_here(person: User) -> dict[str, Rows]:
    """By kind and key, all that the person has; cards as they were apart."""
    found: dict[str, Rows] = {}
    for kind in KINDS:
        names = [column.name for column in kind.columns]
        at = [names.index(name) for name in kind.key]
        rows = kind.of(person).values_list(*kind.paths).iterator(chunk_size=2000)
        found[kind.name] = {tuple(row[n] for n in at): row for row in rows}
    return found


def second_key(person: User, key: UUID) -> UUID:
    return uuid5(person.pk, str(key))


class Keys:
    """The person's own keys of one kind: of rows here, and of those in the file."""

    def __init__(
        self, kind: Kind, person: User, here: Rows, rows: Sequence[Row]
    ) -> None:
        self._person = person
        self._mine: set[UUID] = {key for (key,) in here}
        asked = [row.values["id"] for row in rows]
        self._keys = {old: key for old in asked if (key := self._known(old))}
        rest = [old for old in asked if old not in self._keys]
        taken = existing(kind, rest)
        for old in rest:
            self._keys[old] = second_key(person, old) if old in taken else old

    def of(self, old: UUID) -> UUID | None:
        """None for a row that is neither in the file nor here."""
        return self._keys.get(old) or self._known(old)

    def _known(self, old: UUID) -> UUID | None:
        for key in (old, second_key(self._person, old)):
            if key in self._mine:
                return key
        return None


def existing(kind: Kind, keys: Collection[UUID]) -> set[UUID]:
    found: set[UUID] = set()
    for some in batched(keys, AT_ONCE):
        rows = kind.model._default_manager.filter(pk__in=some)
        found.update(rows.values_list("pk", flat=True))
    return found


def owned(
    document: Document, person: User, here: Mapping[str, Rows]
) -> tuple[dict[str, list[Row]], list[Problem]]:
    """The rows as the person's, in the order of the kinds; what leads nowhere apart."""
    keys = {
        kind.name: Keys(kind, person, here[kind.name], document.rows[kind.name])
        for kind in (SESSIONS, ACTS, ATTEMPTS, MARKS)
    }
    found: dict[str, list[Row]] = {}
    problems: list[Problem] = []
    steps = set(here[STEPS.name])
    versions = known_versions(document, here[VERSIONS.name])
    for kind in KINDS:
        found[kind.name] = []
        for row in document.rows[kind.name]:
            values = renamed(kind, row.values, keys)
            wrong = dangling(kind, row.values, values, steps, versions)
            if wrong:
                problems.append(Problem(row.place, wrong))
                continue
            if kind is STEPS:
                steps.add((values["session"], values["position"]))
            found[kind.name].append(Row(row.place, values))
    return found, problems


def renamed(
    kind: Kind, row: Mapping[str, Any], keys: Mapping[str, Keys]
) -> dict[str, Any]:
    values = dict(row)
    if kind.name in keys:
        values["id"] = keys[kind.name].of(row["id"])
    if row.get("session"):
        values["session"] = keys[SESSIONS.name].of(row["session"])
    if row.get("undoes"):
        values["undoes"] = keys[ACTS.name].of(row["undoes"])
    return values


def dangling(
    kind: Kind,
    row: Mapping[str, Any],
    values: Mapping[str, Any],
    steps: Collection[tuple[Any, ...]],
    versions: Mapping[str, str],
) -> str:
    """What the row names and nobody has; "" when all is there."""
    for name, noun in (("session", "a session"), ("undoes", "an act")):
        if row.get(name) and not values[name]:
            return f"names {noun} that is neither in this file nor here: {row[name]}"
    step = (values.get("session"), values.get("position"))
    if kind in (ACTS, ATTEMPTS) and step[1] is not None and step not in steps:
        return f"names a step that is neither in this file nor here: {step[1]}"
    version = values.get("card_version")
    if version and versions.get(version) != row["card_id"]:
        return "names a version of its card that is neither in this file nor yours"
    return ""


def known_versions(document: Document, here: Rows) -> dict[str, str]:
    """Hashes of the versions in the file and of those that the person's own acts name,
    each with its card. Others that are kept may be texts that nobody showed them."""
    names = [column.name for column in VERSIONS.columns]
    own = [dict(zip(names, values, strict=True)) for values in here.values()]
    rows = [row.values for row in document.rows[VERSIONS.name]]
    return {row["hash"]: row["card_id"] for row in (*own, *rows)}


def existing_versions(hashes: Collection[str]) -> set[str]:
    found: set[str] = set()
    for some in batched(hashes, AT_ONCE):
        kept = CardVersion.objects.filter(hash__in=some)
        found.update(kept.values_list("hash", flat=True))
    return found
