"""The form of a run: what to send, under which load, and what you think comes back."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.conf import settings

from interview.web.numbers import parse_ms

from .models import Metric
from .presets import PRESETS
from .quantity import parse_rate
from .spec import Spec

SOURCES = [("card", "A card's question"), ("text", "Your own text")]
FRESHNESS = [("fresh", "Fresh prompt"), ("same", "Same prompt again")]
CUSTOM = "custom"
LOADS = [
    ("", "One request, token by token"),
    *((preset.name, preset.title) for preset in PRESETS.values()),
    (CUSTOM, "A load of your own"),
]
RISING = "Write the users of each level as rising numbers, such as 1, 4, 16, 64."
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
            raise forms.ValidationError("Write a number above 0 that can be.")
        return number


class CountField(forms.IntegerField):
    """A whole number of at least 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, error_messages=COUNT, **options)


class ChoiceField(forms.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(error_messages=CHOICE, **options)


class TextField(forms.CharField):
    """A text that may be left out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, error_messages=TEXT, **options)


class RunForm(forms.Form):
    source = ChoiceField(label="Prompt", choices=SOURCES, initial="text")
    card = TextField(label="Card", max_length=100)
    prompt = TextField(label="Your text", max_length=100_000, widget=forms.Textarea)
    prompt_tokens = CountField(label="Prompt length in tokens", required=False)
    max_tokens = CountField(label="Answer length at most, in tokens", initial=256)
    freshness = ChoiceField(
        label="Prefix", choices=FRESHNESS, initial="fresh", required=False
    )
    experiment = TextField(max_length=100, widget=forms.HiddenInput)
    load = ChoiceField(label="Load", choices=LOADS, initial="", required=False)
    levels = TextField(label="Users, level by level")
    repeat = CountField(label="Repetitions", required=False)
    limit_ttft = QuantityField(parse_ms, label="Limit of TTFT")
    limit_tpot = QuantityField(parse_ms, label="Limit of TPOT")
    limit_e2e = QuantityField(parse_ms, label="Limit of E2E")
    ttft = QuantityField(parse_ms, label="TTFT")
    tpot = QuantityField(parse_ms, label="TPOT")
    rate = QuantityField(parse_rate, label="Output tok/s")

    def __init__(self, data: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(with_preset(data), **options)

    def clean_levels(self) -> list[int]:
        """Users of each level; none without a load."""
        text = self.cleaned_data["levels"].replace(",", " ")
        if not self.cleaned_data.get("load"):
            return []
        levels = [int(word) if is_count(word) else 0 for word in text.split()]
        if not levels or 0 in levels:
            raise forms.ValidationError(RISING)
        return levels

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
            # A prompt that was refused is there: its own error says what is wrong.
            if field not in self.errors:
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
            **self._load(),
        )

    def _load(self) -> dict[str, Any]:
        """The spec's fields of a load; none for one request."""
        cleaned = self.cleaned_data
        if not cleaned["load"]:
            return {}
        preset = PRESETS.get(cleaned["load"])
        names = ("ttft", "tpot", "e2e")
        limits = {f"{name}_ms": cleaned[f"limit_{name}"] for name in names}
        set_limits = {name: ms for name, ms in limits.items() if ms is not None}
        return {
            "levels": cleaned["levels"],
            "repeat": cleaned["repeat"] or 1,
            "requests": list(preset.requests) if preset and preset.requests else None,
            "limits": set_limits or None,
        }

    def predictions(self) -> dict[str, float]:
        """Metric -> value, only what was predicted."""
        fields = {Metric.TTFT: "ttft", Metric.TPOT: "tpot", Metric.RATE: "rate"}
        found = {metric: self.cleaned_data[name] for metric, name in fields.items()}
        return {metric: value for metric, value in found.items() if value is not None}

    def _within(self, name: str, cap: int) -> int | None:
        value: int | None = self.cleaned_data[name]
        if value is not None and value > cap:
            tokens = "token" if cap == 1 else "tokens"
            raise forms.ValidationError(f"This lab allows {cap:,} {tokens} at most.")
        return value


def with_preset(data: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What was posted, with a preset's lengths, levels and repetitions in it."""
    if data is None:
        return None
    posted = dict(data.items())
    preset = PRESETS.get(posted.get("load", ""))
    return posted | preset.fields if preset else posted


def is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 7
