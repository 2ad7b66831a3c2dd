"""A kit: the questions that every candidate of a round is asked, in their order.

A version is frozen when an interview uses it first; an edit then begins the next one,
so two candidates with the same version were asked the same.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.conf import settings
from django.db import models, transaction

from interview.web.keys import uuid7

from ..errors import NOT_YOURS, BankError, Changed

if TYPE_CHECKING:
    from interview.accounts.models import User

    from .kit_question import Line
    from .kit_version import KitVersion

TITLE_LENGTH = 100
CHANGED = (
    "Somebody saved this kit since this page was opened. What they saved is shown; "
    "what you sent stands below it, not saved."
)


class Kits(models.QuerySet["Kit"]):
    def visible_to(self, person: "User") -> Self:
        """One's own and those that colleagues share; an owner of the installation sees
        them all. Candidates see none."""
        if not person.may_interview:
            return self.none()
        if person.is_owner:
            return self
        return self.filter(models.Q(owner=person) | models.Q(is_shared=True))

    def editable_by(self, person: "User") -> Self:
        mine = self.visible_to(person)
        return mine if person.is_owner else mine.filter(owner=person)

    @transaction.atomic
    def begin(
        self, owner: "User", title: str, now: datetime, key: UUID | None = None
    ) -> "Kit":
        """A kit whose first version is empty. `key` is its id, so that a form that is
        sent twice makes one kit; BankError when it is the key of somebody else's."""
        kit, made = self.get_or_create(
            pk=key or uuid7(),
            defaults={"owner": owner, "title": title, "made_at": now},
        )
        if kit.owner_id != owner.pk:
            raise BankError(NOT_YOURS)
        if made:
            kit.versions.create(number=1, made_at=now)
        return kit


class Kit(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    title = models.CharField(max_length=TITLE_LENGTH)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="kits"
    )
    is_shared = models.BooleanField(default=False)
    """Colleagues may read it, use it and make copies; its owner alone edits it."""
    made_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)
    """Since when no new interview uses it."""

    objects = Kits.as_manager()

    class Meta:
        ordering = ["title", "pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def latest(self) -> "KitVersion":
        return self.versions.order_by("-number").first()  # type: ignore[return-value]  # `begin` makes the first

    @transaction.atomic
    def draft(self, now: datetime) -> "KitVersion":
        """The version that may be edited; a copy of a frozen one when need be."""
        Kit.objects.select_for_update(no_key=True).get(pk=self.pk)
        latest = self.latest
        if latest.frozen_at is None:
            return latest
        made = self.versions.create(
            number=latest.number + 1,
            made_at=now,
            role=latest.role,
            level=latest.level,
            notes=latest.notes,
        )
        made.questions.bulk_create(each.copy_for(made) for each in latest.in_order())
        return made

    @transaction.atomic
    def edit(
        self,
        lines: "Sequence[Line]",
        *,
        title: str,
        title_was: str,
        role: str,
        level: str,
        notes: str,
        read: tuple[int, int],
        now: datetime,
    ) -> "KitVersion":
        """The newest version with these questions: the next one when it was used.

        `read` is the number and the revision of the version that the person saw, and
        `title_was` the title. Changed when somebody saved another since; what is stored
        already is saved once.
        """
        held = Kit.objects.select_for_update(no_key=True).get(pk=self.pk)
        latest = held.latest
        if held.title != title:
            if held.title != title_was:
                raise Changed(CHANGED, latest)
            held.rename(title)
        if not latest.holds(lines, role=role, level=level, notes=notes):
            if (latest.number, latest.revision) != read:
                raise Changed(CHANGED, latest)
            latest = held.draft(now)
            latest.save_lines(
                lines, role=role, level=level, notes=notes, revision=latest.revision
            )
        self.refresh_from_db()
        return latest

    @transaction.atomic
    def duplicate(
        self, owner: "User", title: str, now: datetime, key: UUID | None = None
    ) -> "Kit":
        """A kit of one's own with the newest questions of this one. `key` is its id,
        so that a form that is sent twice makes one copy."""
        made = Kit.objects.begin(owner, title, now, key)
        version = made.latest
        if version.revision == 1:
            source = self.latest
            version.save_lines(
                [each.line for each in source.in_order()],
                role=source.role,
                level=source.level,
                notes=source.notes,
                revision=1,
            )
        return made

    def rename(self, title: str) -> None:
        self.title = title
        self.save(update_fields=["title"])

    def share(self, is_shared: bool) -> None:
        self.is_shared = is_shared
        self.save(update_fields=["is_shared"])

    def retire(self, at: datetime | None) -> None:
        """None takes it back into use."""
        self.retired_at = at
        self.save(update_fields=["retired_at"])
