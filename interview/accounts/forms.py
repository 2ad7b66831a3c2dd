"""Forms of people: signing in, joining, and one's own account."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.password_validation import validate_password

from .names import check_name, tidy
from .seat import NAME_LENGTH
from .user import Role, User

PASSWORD_LENGTH = 256
"""Enough for any sentence; without an end a guess could be made to cost much."""
NO_NUL = {"null_characters_not_allowed": "That holds a NUL character: take it out."}
NAME_HINT = "Others see it, and you sign in with it."
PASSWORD_HINT = (
    "At least 10 characters; a few words you can remember are best. Not your name, "
    "not one of the common ones, not digits alone."
)
NOT_TWICE = "The two are not the same. Write the new password again."
NO_ROLE = {"invalid_choice": "Choose one of these; “%(value)s” is none of them."}
OLD_ZONES = ("Etc/", "SystemV/", "US/", "posix/", "right/")
"""Names that the time zone database keeps for old systems' sake."""


class NameField(forms.CharField):
    def __init__(self, **options: Any) -> None:
        attrs = {"autocomplete": "username", "maxlength": NAME_LENGTH}
        options |= {
            "error_messages": {"required": "Write a name.", **NO_NUL},
            "validators": [check_name],
            "widget": forms.TextInput(attrs=attrs),
        }
        super().__init__(**options)

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value) or "")


class PasswordField(forms.CharField):
    def __init__(self, autocomplete: str, **options: Any) -> None:
        told = f"Use {PASSWORD_LENGTH} characters at most."
        options |= {
            "error_messages": {
                "required": "Write the password.",
                "max_length": told,
                **NO_NUL,
            },
            "max_length": PASSWORD_LENGTH,
            "widget": forms.PasswordInput(attrs={"autocomplete": autocomplete}),
        }
        super().__init__(strip=False, **options)


class SignInForm(forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=300,
        error_messages={"required": "Write your name.", **NO_NUL},
        widget=forms.TextInput(attrs={"autocomplete": "username"}),
    )
    password = PasswordField("current-password", label="Password")


class NewPasswordForm(forms.Form):
    """A new password, written twice, and not guessed from what is known of `person`."""

    password = PasswordField(
        "new-password", label="New password", help_text=PASSWORD_HINT
    )
    again = PasswordField("new-password", label="The same again")

    def __init__(self, *args: Any, person: User | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.person = person

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        password, again = cleaned.get("password"), cleaned.get("again")
        if password and again and password != again:
            self.add_error("again", NOT_TWICE)
        if password:
            whose = self.person or User(name=cleaned.get("name", ""))
            try:
                validate_password(password, whose)
            except forms.ValidationError as wrong:
                self.add_error("password", wrong)
        return cleaned


class JoinForm(NewPasswordForm):
    name = NameField(label="Your name", help_text=NAME_HINT)
    field_order = ["name", "password", "again"]


class ChangePasswordForm(NewPasswordForm):
    old = PasswordField("current-password", label="Present password")
    field_order = ["old", "password", "again"]


def time_zones() -> list[tuple[str, str]]:
    """UTC, then every place."""
    places = (
        name
        for name in sorted(available_timezones())
        if "/" in name and not name.startswith(OLD_ZONES)
    )
    return [("UTC", "UTC"), *((name, name.replace("_", " ")) for name in places)]


class AboutMeForm(forms.Form):
    name = NameField(label="Name", help_text=NAME_HINT)
    time_zone = forms.ChoiceField(
        label="Time zone",
        choices=time_zones,
        help_text="Times on every page are shown in it.",
        error_messages={"invalid_choice": "“%(value)s” is no time zone of the list."},
    )


class InviteForm(forms.Form):
    name = NameField(
        label="Whom (may stay empty)",
        required=False,
        help_text="Proposed as their name; they may choose another one.",
    )
    role = forms.ChoiceField(
        label="Role",
        choices=Role.choices,
        initial=Role.CANDIDATE,
        error_messages=NO_ROLE,
    )


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Role.choices, error_messages=NO_ROLE)
