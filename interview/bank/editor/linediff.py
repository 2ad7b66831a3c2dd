"""Two texts line by line: what is gone, what came, and a little around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

AROUND = 2


class Kind(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"
    LEFT_OUT = "left out"
    """Unchanged, and far from any change."""


@dataclass(frozen=True, slots=True)
class Line:
    kind: Kind
    text: str = ""


def line_diff(before: str, after: str) -> Sequence[Line]:
    old, new = before.split("\n"), after.split("\n")
    found: list[Line] = []
    groups = SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(AROUND)
    for group in groups:
        if found or group[0][1]:
            found.append(Line(Kind.LEFT_OUT))
        for tag, from_old, to_old, from_new, to_new in group:
            if tag == "equal":
                found += [Line(Kind.SAME, text) for text in old[from_old:to_old]]
                continue
            found += [Line(Kind.REMOVED, text) for text in old[from_old:to_old]]
            found += [Line(Kind.ADDED, text) for text in new[from_new:to_new]]
    return found
