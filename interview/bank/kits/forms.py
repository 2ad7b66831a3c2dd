"""The forms of kits: a new one, a set by lot, a copy, a question that is void."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from django import forms
from django.db import transaction

from interview.accounts.models import User
from interview.cards.library import Library
from interview.web.draw_form import LARGEST_SEED, NO_CARD, DrawForm, ForWhom
from interview.web.keys import uuid7
from interview.web.lines import LinesField

from ..errors import BankError
from ..models import Kit, KitVersion, Line
from ..models.kit import TITLE_LENGTH
from ..models.kit_question import NOTES_LENGTH
from .drawing import drawn_lines

MINUTES = (30, 45, 60, 75, 90)
ORDINARY_MINUTES = 45
REASON_LENGTH = 500
NO_REASON = "Say why the question is void: every scorecard shows it."


class KitDrawForm(DrawForm):
    """A set of questions by lot."""

    minutes = forms.TypedChoiceField(
        coerce=int,
        choices=[(count, f"{count} minutes") for count in MINUTES],
    )
    chance = forms.IntegerField(
        min_value=1, max_value=LARGEST_SEED, widget=forms.HiddenInput
    )
    """The seed when none is typed: a form that is sent twice draws one set."""

    @property
    def used_seed(self) -> int:
        typed: int | None = self.cleaned_data["seed"]
        chance: int = self.cleaned_data["chance"]
        return typed or chance

    def lines(self, leaked: Collection[str]) -> list[Line]:
        """Empty when no card suits, which is then an error of the form."""
        lines = drawn_lines(self.library, self.wish, self.used_seed, leaked)
        if not lines:
            self.add_error(None, NO_CARD)
        return lines


class RedrawForm(KitDrawForm):
    """The set takes the place of what the page showed."""

    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    @classmethod
    def of(cls, version: KitVersion, library: Library, chance: int) -> Self:
        first = {
            "role": version.role,
            "level": version.level,
            "minutes": ORDINARY_MINUTES,
            "chance": chance,
        }
        return cls(library, initial=first, prefix="draw")

    def save(self, kit: Kit, lines: Sequence[Line], now: datetime) -> None:
        given = self.cleaned_data
        kit.edit(
            lines,
            title=kit.title,
            title_was=kit.title,
            role=given["role"],
            level=given["level"],
            notes=kit.latest.notes,
            read=(given["number"], given["revision"]),
            now=now,
        )


class NewKitForm(KitDrawForm):
    """With minutes it draws a set, without them the kit begins empty."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    title = forms.CharField(max_length=TITLE_LENGTH)

    def __init__(self, library: Library, *args: Any, **options: Any) -> None:
        super().__init__(library, *args, **options)
        minutes = self.fields["minutes"]
        assert isinstance(minutes, forms.TypedChoiceField)
        minutes.required = False
        minutes.choices = [
            ("", "none: I choose them myself"),
            *((count, f"a fair set for {count} minutes") for count in MINUTES),
        ]

    def begin(self, owner: User, leaked: Collection[str], now: datetime) -> Kit | None:
        """None when no card suits, or when the key is of somebody else's kit: an error
        of the form then."""
        given = self.cleaned_data
        lines = self.lines(leaked) if given["minutes"] else []
        if self.errors:
            return None
        try:
            return self._begin(owner, lines, now)
        except BankError as refused:
            self.add_error(None, str(refused))
            return None

    @transaction.atomic
    def _begin(self, owner: User, lines: Sequence[Line], now: datetime) -> Kit:
        given = self.cleaned_data
        key: UUID = given["key"]
        kit = Kit.objects.begin(owner, given["title"], now, key)
        first = kit.latest
        if first.revision == 1 and not first.is_frozen:
            first.save_lines(
                lines, role=given["role"], level=given["level"], notes="", revision=1
            )
        return kit


class CopyForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    title = forms.CharField(max_length=TITLE_LENGTH)

    @classmethod
    def of(cls, kit: Kit) -> Self:
        title = f"Copy of {kit.title}"[:TITLE_LENGTH]
        return cls(initial={"key": uuid7(), "title": title}, prefix="copy")


class VoidForm(forms.Form):
    """A question of a version that was used; without `void` it counts again."""

    number = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)
    position = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)
    void = forms.BooleanField(required=False)
    reason = forms.CharField(required=False, max_length=REASON_LENGTH)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if (
            given.get("void")
            and not given.get("reason")
            and "reason" not in self.errors
        ):
            self.add_error("reason", NO_REASON)
        return given

    @property
    def reason_given(self) -> str:
        """ "" lets the question count again."""
        given = self.cleaned_data
        return given["reason"] if given["void"] else ""


class FrameForm(ForWhom):
    """What a kit is beside its questions, and which version the page was drawn from."""

    title = forms.CharField(max_length=TITLE_LENGTH)
    notes = LinesField(
        required=False,
        max_length=NOTES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    title_was = forms.CharField(max_length=TITLE_LENGTH, widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
