"""What one seat predicts: the questions of a run, without the run."""

from collections.abc import Mapping
from typing import Any

from django import forms

from interview.cards.experiment import Experiment

from ..form.guess import Guess
from ..form.questions import Asked, questions_of

NOTHING_SAID = "Write at least one number, then lock it."


class PredictForm(forms.Form):
    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        experiment: Experiment | None = None,
    ) -> None:
        super().__init__(data)
        self.questions = questions_of(experiment)
        for question in self.questions:
            self.fields |= question.fields()

    def asked(self) -> list[Asked]:
        """What is to be predicted, each with its bound fields."""
        return [question.asked(self) for question in self.questions]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for question in self.questions:
            if wrong := question.complaint(cleaned, self.errors):
                self.add_error(question.name, wrong)
        if not self.errors and not self.guesses():
            raise forms.ValidationError(NOTHING_SAID)
        return cleaned

    def guesses(self) -> list[Guess]:
        """Only what was predicted; where no load is named, of the run's last one."""
        found = [question.guess(self.cleaned_data, "") for question in self.questions]
        return [guess for guess in found if guess]
