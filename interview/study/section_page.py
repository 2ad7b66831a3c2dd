"""What the page of a manual section shows, written or planned. Knows no request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString, mark_safe

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.cards.manual import (
    ContentsEntry,
    ManualPart,
    ManualSection,
    SectionHeading,
)
from interview.cards.render import Footnote, Renderer


@dataclass(frozen=True, slots=True)
class SectionPage:
    section: ManualSection
    title: SafeString
    part: ManualPart | None
    outline: Sequence[SectionHeading]
    """The section's own headings."""
    body: SafeString
    footnotes: Sequence[Footnote]
    cards: Sequence[Card]
    """Those that name this section."""
    before: ContentsEntry | None
    after: ContentsEntry | None

    @classmethod
    def of(
        cls,
        section: ManualSection,
        library: Library,
        renderer: Renderer,
        audience: Audience,
    ) -> Self:
        number = section.number
        before, after = library.contents.neighbours(number)
        body = renderer.html(section.body, level=2, sources=section.sources, terms=True)
        return cls(
            section=section,
            title=mark_safe(renderer.inline(section.title)),
            part=library.contents.part_of(number),
            outline=[h for h in section.headings if h.level == 2],
            body=mark_safe(body),
            footnotes=renderer.footnotes(section.sources),
            cards=library.taught_by(number, audience),
            before=before,
            after=after,
        )


@dataclass(frozen=True, slots=True)
class PlannedPage:
    entry: ContentsEntry
    part: ManualPart | None
    cards: Sequence[Card]
    """Those that name this section."""
    before: ContentsEntry | None
    after: ContentsEntry | None
    """The written sections around it."""

    @classmethod
    def of(cls, entry: ContentsEntry, library: Library, audience: Audience) -> Self:
        contents = library.contents
        before, after = contents.neighbours(entry.number)
        return cls(
            entry=entry,
            part=contents.part_of(entry.number),
            cards=library.taught_by(entry.number, audience),
            before=before,
            after=after,
        )
