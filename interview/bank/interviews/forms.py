"""The forms that plan an interview and change what was planned."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import Q, QuerySet

from interview.accounts.models import Role, User
from interview.accounts.names import check_seen
from interview.web.content import library

from ..errors import NOT_YOURS, BankError
from ..kits.fairness import Fairness, Finding, Frame
from ..kits.names import names_of
from ..models import CardState, Interview, Kit, KitVersion, Line
from ..models.interview import NAME_LENGTH, NOBODY

EARLIEST = date(2000, 1, 1)
YEARS_AHEAD = 2
NO_DAY = "Write a day, as 2026-12-01."
TOO_FAR = f"Choose a day of the next {YEARS_AHEAD} years: what is stored goes after it."
UNFAIR = "Read what stands against this kit, then mend it or plan anyway."


class SetupForm(forms.Form):
    """Who, when and with whom."""

    candidate = forms.CharField(
        max_length=NAME_LENGTH,
        validators=[check_seen],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Write a name or an alias."},
    )
    held_on = forms.DateField(
        label="Day",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": NO_DAY, "invalid": NO_DAY},
    )
    panel = forms.ModelMultipleChoiceField(
        queryset=User.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": NOBODY},
    )

    def __init__(self, today: date, panel: QuerySet[User], *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.today = today
        field = self.fields["panel"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = panel

    def clean_held_on(self) -> date:
        day: date = self.cleaned_data["held_on"]
        last = self.today.replace(year=self.today.year + YEARS_AHEAD, day=1)
        if not EARLIEST <= day <= last:
            raise forms.ValidationError(TOO_FAR)
        return day


class KitField(forms.ModelChoiceField):  # type: ignore[type-arg]  # in stubs alone
    names: Mapping[UUID, str] = {}

    def label_from_instance(self, kit: Any) -> str:
        return self.names.get(kit.pk, str(kit))


class PlanForm(SetupForm):
    key = forms.UUIDField(widget=forms.HiddenInput)
    kit = KitField(
        queryset=Kit.objects.none(),
        empty_label="Choose a kit",
        error_messages={"required": "Choose a kit.", "invalid_choice": "Choose a kit."},
    )

    anyway = forms.BooleanField(required=False, label="Plan it anyway")

    def __init__(self, person: User, today: date, *args: Any, **options: Any):
        super().__init__(today, interviewers(), *args, **options)
        self.person = person
        field = self.fields["kit"]
        assert isinstance(field, KitField)
        field.queryset = kits_in_use(person)
        field.names = names_of(kits_in_use(person).select_related("owner"))

    def clean_key(self) -> Any:
        key = self.cleaned_data["key"]
        others = Interview.objects.exclude(owner=self.person)
        if others.filter(pk=key).exists():
            raise forms.ValidationError(NOT_YOURS)
        return key

    def clean(self) -> dict[str, Any] | None:
        if self.against and not self.cleaned_data.get("anyway"):
            self.add_error("kit", UNFAIR)
        return super().clean()

    @cached_property
    def version(self) -> KitVersion | None:
        """Of the chosen kit; None without one."""
        try:
            kit: Kit | None = self.fields["kit"].clean(self["kit"].value())
        except forms.ValidationError:
            return None
        return kit.latest if kit else None

    @cached_property
    def against(self) -> Sequence[Finding]:
        """Why the chosen kit would not ask everybody alike."""
        return errors_of(self.version) if self.version else ()

    @property
    def asks_nothing(self) -> bool:
        """A kit without a question can't be used, whatever somebody says."""
        return self.version is not None and not self.version.questions.exists()

    def plan(self, now: datetime) -> Interview | None:
        """The interview; None when the kit can't be used, an error of the form then."""
        given = self.cleaned_data
        kit: Kit = given["kit"]
        try:
            return Interview.objects.plan(
                self.person,
                candidate=given["candidate"],
                version=kit.latest,
                panel=given["panel"],
                held_on=given["held_on"],
                cards=library().cards,
                now=now,
                key=given["key"],
            )
        except BankError as refused:
            self.add_error("kit", str(refused))
            return None


class EditForm(SetupForm):
    """`setup` is the state that the page showed."""

    setup = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, interview: Interview, today: date, *args: Any, **options: Any):
        members = interview.members()
        choices = interviewers([each.pk for each in members])
        initial = {
            "candidate": interview.candidate,
            "held_on": interview.held_on,
            "panel": members,
            "setup": interview.setup,
        }
        super().__init__(today, choices, *args, initial=initial, **options)
        if interview.anonymised_at:
            self.fields["candidate"].required = False


def errors_of(version: KitVersion) -> Sequence[Finding]:
    """Advice is left to the kit's own page."""
    lines = [
        Line(each.card_id, tuple(each.rungs_named), each.minutes)
        for each in version.in_order()
    ]
    leaks = CardState.objects.leaked()
    leaked = {card_id: state.leak_reason for card_id, state in leaks.items()}
    frame = Frame(version.role, version.level)
    return Fairness.of(lines, frame, library(), leaked).errors


def interviewers(besides: Any = ()) -> QuerySet[User]:
    """Who can be asked to interview; `besides` who sits there already."""
    may = Q(is_active=True, role__in=(Role.OWNER, Role.INTERVIEWER))
    return User.objects.filter(may | Q(pk__in=besides)).order_by("name_key")


def kits_in_use(person: User) -> QuerySet[Kit]:
    return Kit.objects.visible_to(person).filter(retired_at=None)
