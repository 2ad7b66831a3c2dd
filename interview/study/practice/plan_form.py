"""The form of a plan: what one may set, and what is said when it can't be so."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django import forms

from interview.accounts.forms import NO_NUL, time_zones
from interview.cards.vocabulary import Vocabulary, Word

from ..models import Plan
from ..models.plan import DAILY_CAP_MAX, RETENTION_MAX, RETENTION_MIN

LONGEST_DAYS = 3 * 366
LOWEST_PERCENT, HIGHEST_PERCENT = round(RETENTION_MIN * 100), round(RETENTION_MAX * 100)
NO_DATE = "That is no date. Write it like 2026-12-31, or leave it empty."
NO_CHOICE = {"invalid_choice": "Choose one of these; “%(value)s” is none of them."}


def whole(label: str, least: int, most: int, hint: str) -> forms.IntegerField:
    wrong = f"Write a whole number from {least} to {most}."
    kinds = ("required", "invalid", "min_value", "max_value")
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        help_text=hint,
        error_messages=dict.fromkeys(kinds, wrong),
    )


class PlanForm(forms.Form):
    interview_on = forms.DateField(
        label="Day of the interview",
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": NO_DATE, **NO_NUL},
        help_text="What would come after it is asked once more in the week before it, "
        "and nothing is asked from that day on. Empty: practise without an end.",
    )
    role = forms.ChoiceField(
        label="Role",
        required=False,
        error_messages=NO_CHOICE,
        help_text="New cards are those of this role. What you began comes back anyway.",
    )
    level = forms.ChoiceField(
        label="Level",
        required=False,
        error_messages=NO_CHOICE,
        help_text="New cards with most to say at this level come first, and follow-ups "
        "above it are not asked.",
    )
    retention = whole(
        "Remember, in %",
        LOWEST_PERCENT,
        HIGHEST_PERCENT,
        "A question comes back when you would still answer it with this probability. "
        "Higher means shorter intervals: 95 asks more than twice as often as 90.",
    )
    daily_cap = whole(
        "Cards a day, at most",
        1,
        DAILY_CAP_MAX,
        "When more are due, those nearest to being forgotten are asked, and the rest "
        "waits for the next days.",
    )
    new_cap = whole(
        "New cards a day, at most",
        0,
        DAILY_CAP_MAX,
        "Of the cards a day. They fill what the due ones leave.",
    )

    def __init__(
        self,
        *args: Any,
        vocabulary: Vocabulary,
        today: date,
        with_zone: bool,
        **options: Any,
    ) -> None:
        """`with_zone`: there is no account page that asks for the time zone."""
        super().__init__(*args, **options)
        self.today = today
        choices(self.fields["role"], "Every role", vocabulary.roles.values())
        levels = vocabulary.levels.values()
        choices(self.fields["level"], "The whole ladder", levels, slugs=True)
        if with_zone:
            self.fields["time_zone"] = forms.ChoiceField(
                label="Time zone",
                choices=time_zones,
                error_messages=NO_CHOICE,
                help_text="A day of practice ends at four in the morning there.",
            )

    def clean_interview_on(self) -> date | None:
        day: date | None = self.cleaned_data["interview_on"]
        if day is not None and day < self.today:
            raise forms.ValidationError(
                f"{said(day)} is over. Set a day that is still to come, or none."
            )
        if day is not None and day > self.today + timedelta(days=LONGEST_DAYS):
            raise forms.ValidationError(
                f"{said(day)} is more than three years away. Is the year right?"
            )
        return day

    def settings(self) -> dict[str, Any]:
        """What a plan keeps, from a valid form."""
        given = self.cleaned_data
        kept = {name: given[name] for name in SETTINGS}
        return kept | {"retention": given["retention"] / 100}


SETTINGS = ("interview_on", "role", "level", "daily_cap", "new_cap")


def initial(plan: Plan, is_over: bool) -> dict[str, Any]:
    """A day that is over is not offered again."""
    now = {name: getattr(plan, name) for name in SETTINGS}
    now |= {"retention": round(plan.retention * 100)}
    now |= {"time_zone": plan.user.time_zone}
    return now | ({"interview_on": None} if is_over else {})


def choices(
    field: forms.Field, blank: str, words: Iterable[Word], *, slugs: bool = False
) -> None:
    assert isinstance(field, forms.ChoiceField)
    named = [(w.slug, f"{w.slug} {w}" if slugs else str(w)) for w in words]
    field.choices = [("", blank), *named]


def said(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
