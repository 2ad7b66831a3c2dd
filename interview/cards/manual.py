"""The manual: its contents (planned and written) and its written sections."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from interview.cards.card import Source
from interview.cards.outline import Passage


@dataclass(frozen=True, slots=True)
class SectionHeading:
    id: str
    title: str
    """Inline Markdown."""
    level: int
    """2 for the section's own headings."""


@dataclass(frozen=True, slots=True)
class ManualSection:
    number: str
    """Part and section: "1.3"."""
    title: str
    engine: str
    checked: date
    edition: str
    body: Passage
    headings: tuple[SectionHeading, ...]
    figures: tuple[str, ...]
    """Names of the figures, in order."""
    sources: tuple[Source, ...]
    path: str
    source: str


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    number: str
    title: str
    summary: str
    written: bool


@dataclass(frozen=True, slots=True)
class ManualPart:
    number: str
    title: str
    sections: tuple[ContentsEntry, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    title: str
    edition: str
    parts: tuple[ManualPart, ...]

    def entries(self) -> Iterator[ContentsEntry]:
        for part in self.parts:
            yield from part.sections

    def entry(self, number: str) -> ContentsEntry | None:
        return next((e for e in self.entries() if e.number == number), None)

    def part_of(self, number: str) -> ManualPart | None:
        return next(
            (p for p in self.parts if any(e.number == number for e in p.sections)), None
        )

    def neighbours(
        self, number: str
    ) -> tuple[ContentsEntry | None, ContentsEntry | None]:
        """The written sections before and after this one."""
        order = [e for e in self.entries() if e.written or e.number == number]
        at = next((n for n, e in enumerate(order) if e.number == number), None)
        if at is None:
            return None, None
        before = order[at - 1] if at else None
        after = order[at + 1] if at + 1 < len(order) else None
        return before, after
