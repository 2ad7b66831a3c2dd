"""One thing that was asked of two runs, and whether they are alike in it; pure."""

from dataclasses import dataclass
from enum import StrEnum

from interview.web.numbers import MISSING


class Likeness(StrEnum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """One side, or neither, says it."""


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    a: str
    b: str
    like: Likeness
    decisive: bool = False
    """It should be the same where the server is what is compared."""
    unlike: str = ""
    """How to say that the two differ; "" by the name."""

    @property
    def differs(self) -> bool:
        return self.a != self.b

    @property
    def matters(self) -> bool:
        """The two differ in it, and that alone could make the numbers differ."""
        return self.decisive and self.like is Likeness.NO


def of_texts(a: str, b: str) -> Likeness:
    if MISSING in (a, b):
        return Likeness.UNKNOWN
    return like(a == b)


def like(same: bool) -> Likeness:
    return Likeness.YES if same else Likeness.NO


def fact(
    name: str, a: str, b: str, *, decisive: bool = False, unlike: str = ""
) -> Fact:
    return Fact(name, a, b, of_texts(a, b), decisive, unlike)
