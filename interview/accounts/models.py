"""People: who they are and what they may do."""

from zoneinfo import available_timezones

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.exceptions import ValidationError
from django.db import models

from interview.web.keys import uuid7


def check_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(
            f"{name!r} is no time zone; use a name such as Europe/Oslo."
        )


class People(BaseUserManager["User"]):
    def local_owner(self) -> "User":
        """The one person of a local installation, made at first need."""
        owner, made = self.get_or_create(name="owner", defaults={"role": Role.OWNER})
        if made:
            owner.set_unusable_password()
            owner.save(update_fields=["password"])
        return owner


class Role(models.TextChoices):
    OWNER = "owner"
    INTERVIEWER = "interviewer"
    CANDIDATE = "candidate"


class User(AbstractBaseUser):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=150, unique=True)
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

    @property
    def may_interview(self) -> bool:
        """Owners and interviewers may read what candidates must not."""
        return self.role in {Role.OWNER, Role.INTERVIEWER}
