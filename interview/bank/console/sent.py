"""What the console's form sends: the marks of a question, and notes about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from django.http import QueryDict

from interview.rating.rating import BELOW_L1, HIGHEST, Mark, Rung, filled
from interview.web.lines import plain_lines

from ..models import Marking, Score

MOST_DIGITS = 9
"""Of a revision or a second; a longer number is nobody's."""
RATES = {str(rating): rating for rating in range(BELOW_L1, HIGHEST + 1)}


@dataclass(frozen=True, slots=True)
class SentMarks(Marking):
    """As a form sends it."""

    @classmethod
    def of_score(cls, score: Score) -> Self:
        """As a form holds them that nobody has changed yet."""
        return cls(
            score.marked(), score.hinted, score.said, score.not_asked, score.revision
        )

    @classmethod
    def of(cls, post: QueryDict, rungs: Sequence[Rung]) -> Self:
        """Fields `mark-<rung>`, `hinted`, `said`, `not_asked` and `revision`; `rate`
        fills the marks in, as that rating leaves them, and `unmark` is the id of a
        follow-up whose mark is left out."""
        given = {rung.id: post.get(f"mark-{rung.id}") for rung in rungs}
        given.pop(post.get("unmark", ""), None)
        marks = {rung: Mark(one) for rung, one in given.items() if one in tuple(Mark)}
        rating = RATES.get(post.get("rate", ""))
        return cls(
            marks=marks if rating is None else filled(rungs, marks, rating),
            hinted=post.getlist("hinted"),
            said=post.getlist("said"),
            not_asked=rating is None and post.get("not_asked") == "1",
            revision=number(post.get("revision", "")) or 0,
        )


@dataclass(frozen=True, slots=True)
class SentNote:
    key: UUID
    text: str
    rung_id: str
    """"" when it is about the question."""
    revision: int
    at_s: int | None
    """By the browser's count, which began with what the server's clock said."""

    @classmethod
    def all_of(cls, post: QueryDict) -> list[Self]:
        """Field `note` holds a key, and others end with it: `text-`, `about-`,
        `read-` with the revision, `at-`. What holds no key is left out."""
        return [
            cls(
                key=key,
                text=plain(post.get(f"text-{name}", "")),
                rung_id=post.get(f"about-{name}", ""),
                revision=number(post.get(f"read-{name}", "")) or 0,
                at_s=number(post.get(f"at-{name}", "")),
            )
            for name in post.getlist("note")
            if (key := uuid_of(name))
        ]


def plain(typed: str) -> str:
    """As it is compared and kept, without what no database takes."""
    return plain_lines(typed).replace("\0", "")


def number(typed: str) -> int | None:
    fits = typed.isdecimal() and len(typed) <= MOST_DIGITS
    return int(typed) if fits else None


def uuid_of(typed: str) -> UUID | None:
    try:
        return UUID(typed)
    except ValueError:
        return None
