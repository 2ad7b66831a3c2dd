"""The form of a run: what to send, under which load, and what you think comes back."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings

from interview.cards.experiment import Experiment
from interview.web.numbers import counted, parse_ms

from ..runs.presets import PRESETS, sizes_of
from ..runs.spec import Spec
from .experiment_spec import experiment_spec
from .fields import ChoiceField, CountField, QuantityField, TextField
from .guess import Guess
from .questions import Asked, questions_of

SOURCES = [("card", "A card's question"), ("text", "Your own text")]
FRESHNESS = [("fresh", "Fresh prompt"), ("same", "Same prompt again")]
CUSTOM = "custom"
LOADS = [
    ("", "One request, token by token"),
    *((preset.name, preset.title) for preset in PRESETS.values()),
    (CUSTOM, "A load of your own"),
]
RISING = "Write the users of each level as rising numbers, such as 1, 4, 16, 64."
NO_PROMPT = "Choose a card, write a prompt or give a length."


class RunForm(forms.Form):
    """Of an experiment nothing is asked but guesses, and its size where it has several:
    a run with other lengths or users would be none of it."""

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

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        experiment: Experiment | None = None,
        **options: Any,
    ) -> None:
        super().__init__(with_preset(data), **options)
        self.for_experiment = experiment if experiment and experiment.written else None
        self.has_own_loads = False
        if self.for_experiment:
            self._keep_own_fields(self.for_experiment)
        self.questions = questions_of(self.for_experiment)
        for question in self.questions:
            self.fields |= question.fields()

    def _keep_own_fields(self, experiment: Experiment) -> None:
        self.fields = {"experiment": self.fields["experiment"]}
        sizes = [(size.name, size.title) for size in sizes_of(experiment.id)]
        self.has_own_loads = not sizes
        if sizes:
            self.fields["load"] = ChoiceField(
                label="How many at once", choices=sizes, initial=sizes[0][0]
            )

    def asked(self) -> list[Asked]:
        """What is to be predicted, each with its bound fields."""
        return [question.asked(self) for question in self.questions]

    @property
    def refusal(self) -> str:
        """What is said above the fields; "" while none is wrong."""
        wrong = len([name for name in self.errors if name in self.fields])
        if not wrong:
            return ""
        need = "one field needs" if wrong == 1 else f"{wrong} fields need"
        return f"Nothing was sent yet: {need} another look."

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
        return self._within("max_tokens", "LAB_MAX_TOKENS")

    def clean_prompt_tokens(self) -> int | None:
        return self._within("prompt_tokens", "LAB_MAX_PROMPT_TOKENS")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for question in self.questions:
            if wrong := question.complaint(cleaned, self.errors):
                self.add_error(question.name, wrong)
        if not self.for_experiment:
            self._check_prompt(cleaned)
        return cleaned

    def _check_prompt(self, cleaned: Mapping[str, Any]) -> None:
        """What was refused is there: its own error says what is wrong."""
        field = "card" if cleaned.get("source") == "card" else "prompt"
        if any(name in self.errors for name in ("source", "prompt_tokens", "load")):
            return
        given = cleaned.get("prompt_tokens") or (cleaned.get(field) or "").strip()
        if not given and field not in self.errors:
            self.add_error(field, NO_PROMPT)

    def spec(self, card_question: str | None) -> Spec:
        """The spec of a valid form; `card_question` is the text of its card."""
        cleaned = self.cleaned_data
        if self.for_experiment:
            size = PRESETS.get(cleaned.get("load", ""))
            return experiment_spec(self.for_experiment, size)
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

    def guesses(self) -> list[Guess]:
        """Only what was predicted; of a load it is of the most users."""
        levels = self.cleaned_data.get("levels") or ()
        load = str(levels[-1]) if levels else ""
        found = [question.guess(self.cleaned_data, load) for question in self.questions]
        return [guess for guess in found if guess]

    def _within(self, name: str, setting: str) -> int | None:
        value: int | None = self.cleaned_data[name]
        cap: int = getattr(settings, setting)
        if value is not None and value > cap:
            said = f"This lab allows {counted(cap, 'token')} at most."
            raise forms.ValidationError(said, code=setting)
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
