"""What is stored about one interview, in numbers that give no scorecard away."""

from dataclasses import dataclass
from typing import Self

from interview.web.numbers import counted

from ..models import Interview


@dataclass(frozen=True, slots=True)
class Stored:
    interview: Interview
    scorecards: int
    submitted: int
    runs: int
    links: int
    """Of the candidate, ended ones among them."""

    @classmethod
    def of(cls, interview: Interview) -> Self:
        return cls(
            interview=interview,
            scorecards=interview.scorecards.count(),
            submitted=interview.scorecards.in_().count(),
            runs=interview.evidence.count(),
            links=interview.links.count(),
        )

    def lines(self) -> list[tuple[str, str]]:
        """What it is, and how much of it there is."""
        name = self.interview.candidate
        return [
            ("The candidate’s name or alias", name or "anonymised"),
            (
                "Scorecards with their marks, notes and summaries",
                f"{self.scorecards}, of them {self.submitted} submitted",
            ),
            ("Runs attached as evidence", counted(self.runs, "run")),
            ("Links and seats of the candidate", counted(self.links, "link")),
        ]
