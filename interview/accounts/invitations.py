"""Links that an owner hands out: an invitation, or a new password for somebody.

A link is 128 random bits that the table knows by their hash. It works once, for seven
days, and only as long as whoever made it is an owner.
"""

from datetime import datetime, timedelta

from django.db import models, transaction
from django.db.models import Q

from interview.web.keys import uuid7

from .errors import LinkOver
from .seat import NAME_LENGTH, hashed, new_token
from .user import Role, User

OPEN_FOR = timedelta(days=7)
KEPT_FOR = timedelta(days=30)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, now: datetime) -> "InvitationQuerySet":
        by_an_owner = Q(made_by__role=Role.OWNER, made_by__is_active=True)
        for_somebody_active = Q(person=None) | Q(person__is_active=True)
        return self.filter(
            Q(made_by=None) | by_an_owner,
            for_somebody_active,
            used_at=None,
            revoked_at=None,
            expires_at__gt=now,
        )

    def to_join(self) -> "InvitationQuerySet":
        return self.filter(person=None)

    def to_a_password(self) -> "InvitationQuerySet":
        return self.exclude(person=None)

    def of(self, token: str) -> "InvitationQuerySet":
        return self.filter(token_hash=hashed(token)).select_related("person", "made_by")

    def invite(
        self, role: str, now: datetime, *, name: str = "", by: User | None = None
    ) -> tuple["Invitation", str]:
        """The invitation and its token, which nobody can ask for again."""
        return self._make(now, role=role, name=name, made_by=by)

    @transaction.atomic
    def renew_password(
        self, person: User, now: datetime, *, by: User | None = None
    ) -> tuple["Invitation", str]:
        """A link to a new password; the one before it is worth nothing any more, also
        should whoever made it be an owner again."""
        earlier = self.filter(person=person, used_at=None, revoked_at=None)
        earlier.update(revoked_at=now)
        name = person.name[:NAME_LENGTH]
        return self._make(now, person=person, name=name, made_by=by)

    def _make(self, now: datetime, **fields: object) -> tuple["Invitation", str]:
        self.filter(expires_at__lt=now - KEPT_FOR).delete()
        token = new_token()
        made = self.model(
            token_hash=hashed(token), made_at=now, expires_at=now + OPEN_FOR, **fields
        )
        made.save(force_insert=True)
        return made, token


class Invitation(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    token_hash = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    """Who it is for, in the owner's words; who comes may call themselves otherwise."""
    role = models.CharField(max_length=20, choices=Role, blank=True, default="")
    person = models.ForeignKey(
        User, null=True, on_delete=models.CASCADE, related_name="password_links"
    )
    """Whose password it renews; null when it makes a new person."""
    made_by = models.ForeignKey(
        User, null=True, on_delete=models.CASCADE, related_name="invitations"
    )
    """Null when it was made on the command line."""
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        if self.person:
            return f"new password for {self.name}"
        return f"{self.role}: {self.name}" if self.name else self.role

    @transaction.atomic
    def accept(self, name: str, password: str, now: datetime) -> User:
        """The person it makes; raises LinkOver, or NameTaken and then stays open."""
        self._use(now)
        return User.objects.join(name, password, self.role)

    @transaction.atomic
    def renew(self, password: str, now: datetime) -> User:
        """Its person with the new password, signed in nowhere; raises LinkOver."""
        self._use(now)
        assert self.person is not None
        self.person.change_password(password)
        self.person.signed_in.all().delete()
        return self.person

    def revoke(self, now: datetime) -> None:
        Invitation.objects.open(now).filter(pk=self.pk).update(revoked_at=now)

    def _use(self, now: datetime) -> None:
        """Of two who come at once, the row lets one through: the update asks columns of
        its own alone, which the database looks at again after it waited for the first.
        """
        is_open = Invitation.objects.open(now).filter(pk=self.pk).exists()
        unused = Invitation.objects.filter(pk=self.pk, used_at=None, revoked_at=None)
        if not (is_open and unused.update(used_at=now)):
            raise LinkOver
