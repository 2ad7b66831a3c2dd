"""How one person practises: towards which day, for which role, how much a day."""

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from interview.recall.days import StudyDays
from interview.recall.memory import Terms

if TYPE_CHECKING:
    from interview.accounts.models import User

RETENTION_MIN, RETENTION_MAX = 0.7, 0.97
DAILY_CAP_MAX = 500


class Plans(models.QuerySet["Plan"]):
    def of(self, person: "User") -> "Plan":
        """The person's plan; the default one, not stored yet, before they made one."""
        plan = self.filter(user=person).first() or Plan()
        # As the caller has them: their time zone is read again and again.
        plan.user = person
        return plan

    def settle(self, person: "User", **settings: Any) -> "Plan":
        """Make or change the person's plan."""
        plan, _ = self.update_or_create(user=person, defaults=settings)
        return plan


class Plan(models.Model):
    """A change applies at each item's next review and moves nothing that is planned."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="plan",
    )
    interview_on = models.DateField(null=True, blank=True)
    """In the person's time zone."""
    role = models.CharField(max_length=60, blank=True)
    """What they interview for, from the vocabulary; blank: every role."""
    level = models.CharField(max_length=10, blank=True)
    """The highest rung that they must climb: "L1" to "L4"; blank: L4."""
    retention = models.FloatField(
        default=0.9,
        validators=[MinValueValidator(RETENTION_MIN), MaxValueValidator(RETENTION_MAX)],
    )
    """The probability of recall at which an item is asked again."""
    daily_cap = models.PositiveSmallIntegerField(
        default=30, validators=[MinValueValidator(1), MaxValueValidator(DAILY_CAP_MAX)]
    )
    """Cards a day, new ones included; each counts once, however many of its items are
    asked. The rest of a backlog comes on later days."""
    new_cap = models.PositiveSmallIntegerField(
        default=8, validators=[MaxValueValidator(DAILY_CAP_MAX)]
    )
    """Of these, cards never asked before."""

    objects = Plans.as_manager()

    def __str__(self) -> str:
        return f"plan of {self.user_id}"

    @property
    def days(self) -> StudyDays:
        return StudyDays(self.user.time_zone)

    def today(self, now: datetime) -> date:
        return self.days.day_of(now)

    def is_over(self, now: datetime) -> bool:
        """The interview was: nothing is asked until there is a new day, or none."""
        return self.interview_on is not None and self.today(now) > self.interview_on

    def days_left(self, now: datetime) -> int | None:
        """Until the interview; 0 on its day, None without one or after it."""
        if self.interview_on is None or self.is_over(now):
            return None
        return (self.interview_on - self.today(now)).days

    def has_a_day_left(self, now: datetime) -> bool:
        """Something may still come back after today: the interview is not now."""
        return self.interview_on is None or self.today(now) < self.interview_on

    def terms(self, now: datetime) -> Terms:
        """How a review now is scheduled."""
        last = None
        if self.interview_on and not self.is_over(now):
            last = self.interview_on - timedelta(days=1)
        return Terms(self.retention, self.user.time_zone, last)
