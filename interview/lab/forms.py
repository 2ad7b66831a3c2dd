"""The form of a run: what to send, and what you think will come back."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings

from interview.web.numbers import parse_ms

from .models import Metric
from .quantity import parse_rate
from .spec import Spec

SOURCES = [("card", "A card's question"), ("text", "Your own text")]
FRESHNESS = [("fresh", "Fresh prompt"), ("same", "Same prompt again")]
LARGEST = 1e9


class QuantityField(forms.CharField):
    """An optional number with a unit; cleans to a float above 0, or None."""

    def __init__(self, parse: Callable[[str], float], **options: Any) -> None:
        self.parse = parse
        super().__init__(required=False, max_length=30, **options)

    def clean(self, value: Any) -> float | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            number = self.parse(text)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        if not 0 < number < LARGEST:
            raise forms.ValidationError("Predict a number above 0 that can be.")
        return number


class RunForm(forms.Form):
    source = forms.ChoiceField(label="Prompt", choices=SOURCES, initial="text")
    card = forms.CharField(label="Card", required=False, max_length=100)
    prompt = forms.CharField(
        label="Your text", required=False, max_length=100_000, widget=forms.Textarea
    )
    prompt_tokens = forms.IntegerField(
        label="Prompt length in tokens", required=False, min_value=1
    )
    max_tokens = forms.IntegerField(
        label="Answer length at most, in tokens", min_value=1, initial=256
    )
    freshness = forms.ChoiceField(
        label="Prefix", choices=FRESHNESS, initial="fresh", required=False
    )
    experiment = forms.CharField(
        required=False, max_length=100, widget=forms.HiddenInput
    )
    ttft = QuantityField(parse_ms, label="TTFT")
    tpot = QuantityField(parse_ms, label="TPOT")
    rate = QuantityField(parse_rate, label="Output tok/s")

    def clean_max_tokens(self) -> int | None:
        return self._within("max_tokens", settings.LAB_MAX_TOKENS)

    def clean_prompt_tokens(self) -> int | None:
        return self._within("prompt_tokens", settings.LAB_MAX_PROMPT_TOKENS)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        has_prompt = {
            "card": cleaned.get("card"),
            "text": (cleaned.get("prompt") or "").strip(),
        }
        source = cleaned.get("source", "")
        if not cleaned.get("prompt_tokens") and not has_prompt.get(source):
            field = "card" if source == "card" else "prompt"
            self.add_error(field, "Choose a card, write a prompt or give a length.")
        return cleaned

    def spec(self, card_question: str | None) -> Spec:
        """The spec of a valid form; `card_question` is the text of its card."""
        cleaned = self.cleaned_data
        length = cleaned["prompt_tokens"]
        source = "length" if length else cleaned["source"]
        prompts = {
            "card": card_question or "",
            "text": cleaned["prompt"],
            "length": "",
        }
        return Spec(
            prompt=prompts[source],
            source=source,
            prompt_tokens=length,
            max_tokens=cleaned["max_tokens"],
            fresh_prompt=cleaned["freshness"] != "same",
            card=cleaned["card"] or None,
            experiment=cleaned["experiment"] or None,
        )

    def predictions(self) -> dict[str, float]:
        """Metric -> value, only what was predicted."""
        fields = {Metric.TTFT: "ttft", Metric.TPOT: "tpot", Metric.RATE: "rate"}
        found = {metric: self.cleaned_data[name] for metric, name in fields.items()}
        return {metric: value for metric, value in found.items() if value is not None}

    def _within(self, name: str, cap: int) -> int | None:
        value: int | None = self.cleaned_data[name]
        if value is not None and value > cap:
            raise forms.ValidationError(f"This lab allows {cap:,} tokens at most.")
        return value
