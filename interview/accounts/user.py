"""A person: their name, their role, and what may never happen to the last owner."""

from typing import Any
from zoneinfo import available_timezones

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from interview.web.keys import uuid7

from .errors import LastOwner, NameTaken
from .names import key_of, tidy


def check_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(
            f"{name!r} is no time zone; use a name such as Europe/Oslo."
        )


class Role(models.TextChoices):
    OWNER = "owner"
    INTERVIEWER = "interviewer"
    CANDIDATE = "candidate"


class People(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        """By name, whatever its case; this is how Django signs people in."""
        return self.get(name_key=key_of(username or ""))

    def local_owner(self) -> "User":
        """The one person of a local installation, made at first need."""
        local = {"name": "owner", "role": Role.OWNER}
        owner, made = self.get_or_create(name_key="owner", defaults=local)
        if made:
            owner.set_unusable_password()
            owner.save(update_fields=["password"])
        return owner

    def join(self, name: str, password: str | None, role: str) -> "User":
        """A new person; NameTaken also when two ask for a name at the same moment.

        Without a password: somebody who signs in elsewhere.
        """
        person = self.model(name=tidy(name), role=role)
        person.set_password(password)
        try:
            with transaction.atomic():
                person.save(force_insert=True)
        except IntegrityError as error:
            raise NameTaken(person.name) from error
        return person

    def owners_who_sign_in(self) -> "models.QuerySet[User]":
        """Active owners who were here: the one that a local installation made, and
        that nobody can sign in as, runs no shared one."""
        return self.filter(
            role=Role.OWNER, is_active=True, last_login__isnull=False
        ).order_by("pk")


class User(AbstractBaseUser):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=150, unique=True)
    name_key = models.CharField(max_length=150, unique=True, editable=False)
    """The name as `names.key_of` folds it."""
    role = models.CharField(max_length=20, choices=Role, default=Role.CANDIDATE)
    time_zone = models.CharField(
        max_length=60, default="UTC", validators=[check_time_zone]
    )
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(auto_now_add=True)

    objects = People()

    USERNAME_FIELD = "name"

    class Meta:
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key = key_of(self.name)
        if "name" in (fields := kwargs.get("update_fields") or ()):
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)

    def clean_fields(self, exclude: Any = None) -> None:
        self.name_key = key_of(self.name)
        super().clean_fields(exclude=exclude)

    @property
    def may_interview(self) -> bool:
        """Owners and interviewers may read what candidates must not."""
        return self.role in {Role.OWNER, Role.INTERVIEWER}

    @property
    def is_owner(self) -> bool:
        return self.role == Role.OWNER

    def introduce(self, name: str, time_zone: str) -> None:
        """Change what the person is called and in which zone times are shown."""
        self.name, self.time_zone = tidy(name), time_zone
        try:
            with transaction.atomic():
                self.save(update_fields=["name", "time_zone"])
        except IntegrityError as error:
            self.refresh_from_db()
            raise NameTaken(tidy(name)) from error

    @transaction.atomic
    def change_role(self, role: str) -> None:
        if role != Role.OWNER:
            self._leave_an_owner()
        self.role = role
        self.save(update_fields=["role"])

    @transaction.atomic
    def deactivate(self) -> None:
        """Nobody signs in as this person any more, and open sessions end."""
        self._leave_an_owner()
        self.is_active = False
        self.save(update_fields=["is_active"])
        self.signed_in.all().delete()

    def activate(self) -> None:
        self.is_active = True
        self.save(update_fields=["is_active"])

    @transaction.atomic
    def change_password(self, password: str) -> None:
        """Sessions that began with the old one are worth nothing from here on."""
        self.set_password(password)
        self.save(update_fields=["password"])

    def _leave_an_owner(self) -> None:
        """Locks the owners, so that two of them cannot demote each other at once."""
        owners = {
            one.pk for one in User.objects.owners_who_sign_in().select_for_update()
        }
        self.refresh_from_db()
        if self.is_owner and not owners - {self.pk}:
            raise LastOwner
