"""The forms of a sample: writing it, and one's own rating of it."""

from typing import Any

from django import forms

from interview.cards.card import Card
from interview.cards.library import Library
from interview.rating.rating import BELOW_L1
from interview.rating.words import level_word
from interview.web.lines import LinesField

from ..models.calibration import ANSWER_LENGTH, TITLE_LENGTH

CHOOSE = "Choose how far this answer climbs."
WHY = "Say why: the panel reads it beside your rating."


class WriteForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    card = forms.ChoiceField(error_messages={"required": "Choose a card."})
    title = forms.CharField(
        max_length=TITLE_LENGTH, error_messages={"required": "Give it a name."}
    )
    answer = LinesField(
        max_length=ANSWER_LENGTH,
        widget=forms.Textarea(attrs={"rows": 16}),
        error_messages={"required": "Write the answer that is to be rated."},
    )

    def __init__(self, library: Library, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        topics: dict[str, list[tuple[str, str]]] = {}
        for card in library.cards.values():
            topic = str(library.vocabulary.topics.get(card.topics[0], card.topics[0]))
            topics.setdefault(topic, []).append((card.id, card.title_text))
        field = self.fields["card"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "Choose a card"), *topics.items()]


class RateForm(forms.Form):
    rating = forms.TypedChoiceField(
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )
    reason = LinesField(
        max_length=ANSWER_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": WHY},
    )

    def __init__(self, card: Card, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        steps = sorted({int(rung.level[1:]) for rung in card.follow_ups})
        field = self.fields["rating"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(each, level_word(each)) for each in (BELOW_L1, *steps)]
