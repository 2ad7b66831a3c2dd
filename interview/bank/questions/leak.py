"""The forms that flag a card as leaked, and that take the flag back."""

from django import forms

from interview.web.lines import LinesField

from ..models.card_state import LEAK_REASON_LENGTH

WHY = "Say how you know: where it was seen, or what a candidate said."


class LeakForm(forms.Form):
    reason = LinesField(
        max_length=LEAK_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": WHY},
    )


class TakeBackForm(forms.Form):
    flagged_at = forms.DateTimeField()
    """When the flag that the page showed was given."""
