"""The three grades of an answer; their words state the test."""

from enum import StrEnum

from fsrs import Rating


class Grade(StrEnum):
    MISSED = "missed"
    PARTLY = "partly"
    SOLID = "solid"

    @property
    def word(self) -> str:
        return self.value.capitalize()

    @property
    def test(self) -> str:
        """What it takes, said to the one who grades."""
        return TESTS[self]

    @property
    def rating(self) -> Rating:
        """FSRS' Easy is never given: three tests are told apart well, four badly."""
        return RATINGS[self]


TESTS = {
    Grade.MISSED: "I did not say the core of it",
    Grade.PARTLY: "I said the core, and missed details",
    Grade.SOLID: "I said all of it, as it should be said",
}
RATINGS = {
    Grade.MISSED: Rating.Again,
    Grade.PARTLY: Rating.Hard,
    Grade.SOLID: Rating.Good,
}
