"""The fields of a fair set of cards by lot: for whom, how long, by which seed."""

import secrets
from typing import Any

from django import forms

from interview.cards.card import LEVELS
from interview.cards.draw import Wish
from interview.cards.library import Library

LARGEST_SEED = 2**53
"""Every number up to here is written and read alike everywhere."""
MOST_CHANCE = 1_000_000
"""Seeds that nobody typed are short enough to be typed."""
NO_CARD = "No card of this role has anything to say at this level yet."
SEED = "Write a whole number between 1 and 9,007,199,254,740,992, or nothing."


class ForWhom(forms.Form):
    role = forms.ChoiceField(required=False)
    level = forms.ChoiceField(label="Up to level")

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


class DrawForm(ForWhom):
    """Whoever uses it says which `minutes` can be chosen."""

    minutes = forms.TypedChoiceField(coerce=int)
    seed = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_SEED,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={"invalid": SEED, "min_value": SEED, "max_value": SEED},
    )

    @property
    def wish(self) -> Wish:
        given = self.cleaned_data
        return Wish(given["minutes"], given["level"], given["role"])


def a_chance() -> int:
    """A seed for who typed none."""
    return 1 + secrets.randbelow(MOST_CHANCE)
