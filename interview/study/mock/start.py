"""The form that begins a mock interview, and the kit that it draws."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms

from interview.accounts.models import User
from interview.cards.card import LEVELS, Audience
from interview.cards.draw import Drawn, Wish, draw
from interview.cards.library import Library
from interview.recall.grade import Grade

from ..models import Item, Mock

MINUTES = (20, 30, 45, 60)
LARGEST_SEED = 2**53
"""Every number up to here is written and read alike everywhere."""
LAST_MOCKS = 2
"""What was asked in so many is not asked again while there are other cards."""
NO_CARD = "No card of this role has anything to say at this level yet."
SEED = "Write a whole number between 1 and 9,007,199,254,740,992, or nothing."


class StartForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    role = forms.ChoiceField(required=False)
    level = forms.ChoiceField(label="Up to level")
    minutes = forms.TypedChoiceField(
        coerce=int, choices=[(count, f"{count} minutes") for count in MINUTES]
    )
    seed = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_SEED,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={"invalid": SEED, "min_value": SEED, "max_value": SEED},
    )

    def __init__(self, library: Library, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        words = library.vocabulary
        roles = [(slug, str(word)) for slug, word in words.roles.items()]
        levels = [(slug, f"{slug} {words.levels.get(slug, '')}") for slug in LEVELS]
        self.library = library
        for name, choices in (
            ("role", [("", "Every role"), *roles]),
            ("level", levels),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    @property
    def wish(self) -> Wish:
        given = self.cleaned_data
        return Wish(given["minutes"], given["level"], given["role"])

    def begin(self, person: User, chance: int, now: datetime) -> Mock | None:
        """The mock; None when no card suits, which is then an error of the form.

        `chance` is the seed when none was typed. A typed one looks at nothing that is
        known of the person, so that it draws the same for everybody.
        """
        typed = self.cleaned_data["seed"]
        seed: int = typed or chance
        kit = (
            anybodys_kit(self.library, self.wish, seed)
            if typed
            else own_kit(self.library, person, self.wish, seed)
        )
        if not kit:
            self.add_error(None, NO_CARD)
            return None
        key: UUID = self.cleaned_data["key"]
        return Mock.objects.begin(person, key, self.wish, seed, kit, now)


def anybodys_kit(library: Library, wish: Wish, seed: int) -> tuple[Drawn, ...]:
    return draw(library.listed(Audience.CANDIDATE), wish, seed)


def own_kit(library: Library, person: User, wish: Wish, seed: int) -> tuple[Drawn, ...]:
    """Fair to what this person knows, and was asked lately."""
    answered = Item.objects.of(person).filter(
        rung_id="", last_grade__in=(Grade.PARTLY, Grade.SOLID)
    )
    return draw(
        library.listed(Audience.CANDIDATE),
        wish,
        seed,
        known=frozenset(answered.values_list("card_id", flat=True)),
        recent=Mock.objects.card_ids(person, LAST_MOCKS),
    )


def is_repeatable(library: Library, mock: Mock, card_ids: list[str]) -> bool:
    """Whether its seed, typed by anybody today, would draw the same questions."""
    wish = Wish(mock.minutes or 0, mock.level, mock.role)
    drawn = anybodys_kit(library, wish, mock.seed)
    return [each.card.id for each in drawn] == card_ids
