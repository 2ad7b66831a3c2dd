"""The quantities that a run form asks its reader to predict."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

from interview.cards.experiment import Experiment
from interview.cards.quantity import Quantity

from .fields import QuantityField
from .guess import Guess, complaint
from .quantity import parser_of, title_of

PLAIN = {"ttft": "ttft_ms", "tpot": "tpot_ms", "rate": "output_tokens_per_s"}
"""What is asked without an experiment, by the names of the fields."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its bound fields, for the page."""

    question: "Question"
    value: forms.BoundField
    low: forms.BoundField
    high: forms.BoundField


@dataclass(frozen=True, slots=True)
class Question:
    name: str
    """Of the number's field; the range's are `name_low` and `name_high`."""
    quantity: Quantity

    @property
    def title(self) -> str:
        return title_of(self.quantity)

    @property
    def about(self) -> str:
        return self.quantity.about.words

    @property
    def names(self) -> tuple[str, str, str]:
        return self.name, f"{self.name}_low", f"{self.name}_high"

    def fields(self) -> dict[str, QuantityField]:
        parse = parser_of(self.quantity.metric)
        ends = ("", ", from", ", to")
        return {
            name: QuantityField(parse, label=f"{self.title}{end}")
            for name, end in zip(self.names, ends, strict=True)
        }

    def asked(self, form: forms.Form) -> Asked:
        return Asked(self, *(form[name] for name in self.names))

    def complaint(
        self, cleaned: Mapping[str, Any], wrong: Container[str]
    ) -> str | None:
        """Why the three don't go together; None while one of them has its own error."""
        if any(name in wrong for name in self.names):
            return None
        metric = self.quantity.metric
        return complaint(metric, *(cleaned.get(name) for name in self.names))

    def guess(self, cleaned: Mapping[str, Any], load: str) -> Guess | None:
        """Of this load, where the question names none."""
        value, low, high = (cleaned[name] for name in self.names)
        about = Quantity(self.quantity.metric, self.quantity.load or load)
        return None if value is None else Guess(str(about), value, low, high)


def questions_of(experiment: Experiment | None) -> list[Question]:
    """Those of the experiment; else TTFT, TPOT and output of the most users."""
    if experiment is None:
        return [Question(name, Quantity(m, "")) for name, m in PLAIN.items()]
    return [Question(str(quantity), quantity) for quantity in experiment.predict]
