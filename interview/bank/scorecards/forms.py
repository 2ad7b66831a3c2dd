"""What the forms of a scorecard send beside its marks."""

from django import forms

from ..console.sent import plain
from ..models.scorecard import REASON_LENGTH, SUMMARY_LENGTH

NO_REASON = "Say why you change a rating that is in."


class SummaryForm(forms.Form):
    summary = forms.CharField(
        required=False,
        max_length=SUMMARY_LENGTH,
        widget=forms.Textarea,
        error_messages={
            "max_length": "The summary holds %(limit_value)d characters; "
            "this has %(show_value)d."
        },
    )
    revision = forms.IntegerField(min_value=0)

    @property
    def given(self) -> tuple[str, int]:
        text: str = self.cleaned_data["summary"]
        return plain(text), self.cleaned_data["revision"]


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=REASON_LENGTH,
        error_messages={
            "required": NO_REASON,
            "max_length": "A reason holds %(limit_value)d characters; "
            "this has %(show_value)d.",
        },
    )
