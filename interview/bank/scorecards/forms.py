"""What the forms of a scorecard send beside its marks."""

from django import forms

from interview.web.lines import LinesField

from ..models.revision import REASON_LENGTH
from ..models.scorecard import SUMMARY_LENGTH

NO_REASON = "Say why you change a rating that is in."


class SummaryForm(forms.Form):
    summary = LinesField(
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
        return self.cleaned_data["summary"], self.cleaned_data["revision"]


class ReasonForm(forms.Form):
    reason = LinesField(
        max_length=REASON_LENGTH,
        widget=forms.Textarea,
        error_messages={
            "required": NO_REASON,
            "max_length": "A reason holds %(limit_value)d characters; "
            "this has %(show_value)d.",
        },
    )
