"""Fields of the run form, with errors in our own words."""

from collections.abc import Callable
from typing import Any

from django import forms

from interview.web.lines import LinesField

LARGEST = 1e9
COUNT = {
    "required": "Write a whole number.",
    "invalid": "Write a whole number, such as 128.",
    "min_value": "Write a whole number of at least 1.",
}
CHOICE = {
    "required": "Choose one of these.",
    "invalid_choice": "Choose one of these; “%(value)s” is none of them.",
}
TEXT = {
    "null_characters_not_allowed": "The text holds a NUL character: take it out.",
    "max_length": "Shorten it to %(limit_value)d characters; it has %(show_value)d.",
}


class QuantityField(forms.CharField):
    """An optional number with a unit; cleans to a float above 0, or None."""

    def __init__(self, parse: Callable[[str], float], **options: Any) -> None:
        self.parse = parse
        super().__init__(required=False, max_length=30, error_messages=TEXT, **options)

    def clean(self, value: Any) -> float | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            number = self.parse(text)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        if not 0 < number < LARGEST:
            said = f"Write a number above 0 and below {LARGEST:,.0f}."
            raise forms.ValidationError(said)
        return number


class CountField(forms.IntegerField):
    """A whole number of at least 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, error_messages=COUNT, **options)


class ChoiceField(forms.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(error_messages=CHOICE, **options)


class TextField(LinesField):
    """A text that may be left out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, error_messages=TEXT, **options)
