"""A kit's form: the frame, a row for each question, and buttons that save it all.

Every button sends the whole form, so nothing that was typed is lost by a search or a
move: `up`, `down` and `remove` name a row, `add` a card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from django import forms
from django.http import QueryDict

from interview.cards.card import Audience, Card, Status
from interview.cards.library import Library
from interview.web.lines import LinesField

from ..models import Kit, KitVersion, Line
from ..models.kit_question import NOTES_LENGTH
from .drawing import new_line
from .forms import FrameForm

MOST_MINUTES = 120
MOST_DIGITS = 3
"""Of the number of a row."""
NO_RUNG = "Choose at least one follow-up, or take the question out."


class LineForm(forms.Form):
    """One question. Its prefix is the number of its row, which is its position when
    the page was drawn."""

    card_id = forms.CharField(max_length=100, widget=forms.HiddenInput)
    place = forms.IntegerField(
        label="Position",
        min_value=1,
        max_value=999,
        widget=forms.NumberInput(attrs={"autocomplete": "off"}),
    )
    rungs = forms.MultipleChoiceField(
        label="Follow-ups", error_messages={"required": NO_RUNG}
    )
    minutes = forms.IntegerField(min_value=1, max_value=MOST_MINUTES)
    notes = LinesField(
        label="Notes for the interviewer",
        required=False,
        max_length=NOTES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, library: Library, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.card: Card | None = library.cards.get(str(self["card_id"].value()))
        rungs = self.fields["rungs"]
        assert isinstance(rungs, forms.MultipleChoiceField)
        # Of a card that left the content what was chosen stays as it is.
        known = [rung.id for rung in self.card.follow_ups] if self.card else self.chosen
        rungs.choices = [(rung_id, rung_id) for rung_id in known]

    @classmethod
    def of(cls, line: Line, position: int, library: Library) -> Self:
        first = {
            "card_id": line.card_id,
            "place": position,
            "rungs": list(line.rung_ids),
            "minutes": line.minutes,
            "notes": line.notes,
        }
        return cls(library, initial=first, prefix=str(position))

    @property
    def row(self) -> int:
        return int(str(self.prefix))

    @property
    def chosen(self) -> list[str]:
        return [str(rung_id) for rung_id in self["rungs"].value() or ()]

    @property
    def line(self) -> Line:
        given = self.cleaned_data
        in_file_order = [key for key, _ in self.fields["rungs"].choices]  # type: ignore[attr-defined]  # of a choice field
        return Line(
            given["card_id"],
            tuple(key for key in in_file_order if key in given["rungs"]),
            given["minutes"],
            given["notes"],
        )

    @property
    def order(self) -> tuple[int, int, int]:
        """By the position that was typed. Of two with the same one, whoever moved up
        to it comes first, whoever moved down to it last."""
        place: int = self.cleaned_data["place"]
        moved = (place > self.row) - (place < self.row)
        return place, moved, self.row


@dataclass(frozen=True, slots=True)
class Editing:
    frame: FrameForm
    rows: Sequence[LineForm]

    @classmethod
    def of(cls, version: KitVersion, lines: Sequence[Line], library: Library) -> Self:
        """As it is stored, `lines` being those of the version."""
        first = {
            "title": version.kit.title,
            "title_was": version.kit.title,
            "role": version.role,
            "level": version.level,
            "notes": version.notes,
            "number": version.number,
            "revision": version.revision,
        }
        return cls(FrameForm(library, initial=first), rows_of(lines, library))

    @classmethod
    def sent(cls, given: QueryDict, library: Library) -> Self:
        """Without the row that was to be taken out."""
        rows = [row for row in given.getlist("row") if is_number(row)]
        kept = [row for row in rows if row != given.get("remove")]
        return cls(
            FrameForm(library, given),
            [LineForm(library, given, prefix=row) for row in kept],
        )

    def with_rows(self, lines: Sequence[Line], library: Library) -> Self:
        """What was sent, once its button did what it says."""
        return replace(self, rows=rows_of(lines, library))

    def is_valid(self) -> bool:
        # Every form shows its errors, so every one is asked.
        return all([self.frame.is_valid(), *[row.is_valid() for row in self.rows]])

    def lines(self, given: QueryDict, library: Library) -> list[Line]:
        """In the order that was asked for, with the card that was to be added."""
        rows = sorted(self.rows, key=lambda row: row.order)
        for name, step in (("up", -1), ("down", 1)):
            at = next(
                (n for n, r in enumerate(rows) if r.prefix == given.get(name)), None
            )
            if at is not None and 0 <= at + step < len(rows):
                rows[at], rows[at + step] = rows[at + step], rows[at]
        lines = [row.line for row in rows]
        card = addable(library, given.get("add", ""))
        if card:
            lines.append(new_line(card, self.frame.cleaned_data["level"]))
        return lines

    def place(self, given: QueryDict) -> str:
        """The anchor of what was at hand; "" for the top of the page."""
        for name, step in (("up", -1), ("down", 1), ("remove", 0)):
            row = given.get(name, "")
            if is_number(row):
                return f"question-{max(1, int(row) + step)}"
        return "add" if looked_for(given) is not None else ""

    def version(self, kit: Kit) -> KitVersion:
        """As it would be saved."""
        frame = self.frame.cleaned_data
        return KitVersion(
            kit=kit, role=frame["role"], level=frame["level"], notes=frame["notes"]
        )

    def save(self, kit: Kit, lines: Sequence[Line], now: datetime) -> KitVersion:
        frame = self.frame.cleaned_data
        return kit.edit(
            lines,
            title=frame["title"],
            title_was=frame["title_was"],
            role=frame["role"],
            level=frame["level"],
            notes=frame["notes"],
            read=(frame["number"], frame["revision"]),
            now=now,
        )


def rows_of(lines: Sequence[Line], library: Library) -> list[LineForm]:
    return [LineForm.of(line, at, library) for at, line in enumerate(lines, 1)]


def is_number(row: str) -> bool:
    return row.isdecimal() and len(row) <= MOST_DIGITS


def looked_for(given: QueryDict) -> str | None:
    """The words of a search, "" for every card; None when nobody looks for one."""
    words = given.get("find", "").strip()
    looks = words or given.keys() & {"search", "add"}
    return words if looks and "save" not in given else None


def addable(library: Library, card_id: str) -> Card | None:
    """A card that may come into a kit: a retired one stays out, and one without
    follow-ups, which nothing could rate."""
    card = library.visible(card_id, Audience.AUTHOR)
    if card is None or card.status is Status.RETIRED or not card.follow_ups:
        return None
    return card
