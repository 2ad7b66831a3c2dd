"""What the page of the editor shows. Knows no request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from interview.cards.library import Library
from interview.cards.vocabulary import Word
from interview.web.numbers import counted

from .draft import NOT_READY, Draft
from .folder import OwnFile
from .linediff import Line, line_diff
from .preview import Preview, Reader


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody wrote the file since it was read here."""

    now: OwnFile | None
    """None when the file is gone."""
    lines: Sequence[Line]
    """From what stands there now to what was sent."""

    @classmethod
    def of(cls, now: OwnFile | None, sent: str) -> Self:
        return cls(now, line_diff(now.text, sent) if now else ())


@dataclass(frozen=True, slots=True)
class EditorPage:
    card_id: str
    """Of the card that is edited; "" for a new one."""
    version: str
    """Of the text that it was read with; "" for a new one."""
    draft: Draft
    reader: Reader
    preview: Preview | None
    words: Mapping[str, Mapping[str, Word]]
    refusal: str = ""
    conflict: Conflict | None = None

    @classmethod
    def of(
        cls,
        draft: Draft,
        reader: Reader,
        library: Library,
        card_id: str = "",
        version: str = "",
        refusal: str = "",
        conflict: Conflict | None = None,
    ) -> Self:
        words = library.vocabulary
        return cls(
            card_id=card_id,
            version=version,
            draft=draft,
            reader=reader,
            preview=Preview.of(draft.card, reader, library) if draft.card else None,
            words={
                "roles": words.roles,
                "topics": words.topics,
                "levels": words.levels,
                "competences": words.competences,
            },
            refusal=refusal,
            conflict=conflict,
        )

    @property
    def can_wait(self) -> bool:
        """It is refused as what it says it is, and could be kept as a draft."""
        return self.refusal == NOT_READY

    @property
    def found(self) -> str:
        errors, notices = len(self.draft.errors), len(self.draft.notices)
        if not errors and not notices:
            return "No problems."
        parts = [counted(errors, "error")] * bool(errors)
        parts += [counted(notices, "notice")] * bool(notices)
        return f"{' and '.join(parts)}."
