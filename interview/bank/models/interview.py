"""An interview: one candidate, one frozen kit, a panel, and what is asked now."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Self
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.db.models import F

from interview.accounts.seat import hashed
from interview.cards.card import Card
from interview.web.keys import uuid7

from ..errors import BankError, Changed, Frozen
from .asked import Asked
from .audit import AuditEntry, Verb
from .kit_version import KitVersion
from .panel import PanelMember

if TYPE_CHECKING:
    from interview.accounts.models import User

    from .candidate_link import CandidateLink
    from .evidence import Evidence

NAME_LENGTH = 100
NOBODY = "An interview needs at least one interviewer."
CHANGED = (
    "Somebody changed this interview since the page was opened. What is saved stands "
    "above; what you sent is in the form, not saved."
)
NOT_BEFORE_THEM = (
    "The candidate is shown a run beside its question alone: put that question first."
)
HAS_BEGUN = "{} has marks or notes on a scorecard here, and so stays on the panel."
ANONYMISED = (
    "This interview is anonymised: nothing about its candidate is written any more."
)


class Interviews(models.QuerySet["Interview"]):
    def visible_to(self, person: "User") -> Self:
        """To whom it matters: who set it up, its panel, owners of the installation."""
        if not person.may_interview:
            return self.none()
        if person.is_owner:
            return self
        concerned = models.Q(owner=person) | models.Q(
            pk__in=PanelMember.objects.filter(user=person).values("interview")
        )
        return self.filter(concerned)

    def managed_by(self, person: "User") -> Self:
        """Who may change panel, date and links, delete and anonymise it."""
        mine = self.visible_to(person)
        return mine if person.is_owner else mine.filter(owner=person)

    def judged_by(self, person: "User") -> Self:
        """Interviews on whose panel the person sits: they have a console there."""
        if not person.may_interview:
            return self.none()
        sat = PanelMember.objects.filter(user=person).values("interview")
        return self.filter(pk__in=sat)

    def listed(self, today: date) -> Self:
        """What is to come, the next day first; then what was, the last day first."""
        is_to_come = models.Q(ended_at=None, held_on__gte=today)
        comes_on = models.Case(models.When(is_to_come, then=F("held_on")))
        return self.order_by(comes_on.asc(nulls_last=True), "-held_on", "-pk")

    def refuse_anonymised(self, interview_id: UUID) -> None:
        """Frozen when it is; for whoever is about to write a text about somebody, and
        holds a row that anonymising waits for."""
        if self.filter(pk=interview_id, anonymised_at__isnull=False).exists():
            raise Frozen(ANONYMISED)

    @transaction.atomic
    def plan(
        self,
        owner: "User",
        *,
        candidate: str,
        version: KitVersion,
        panel: Iterable["User"],
        held_on: date,
        cards: Mapping[str, Card],
        now: datetime,
        key: UUID | None = None,
    ) -> "Interview":
        """Freezes the kit. Of the panel only who may interview comes in: BankError
        when that is nobody. `key` is its id, so that a form that is sent twice plans
        one interview."""
        key = key or uuid7()
        if planned := self.filter(pk=key, owner=owner).first():
            return planned
        members = {each.pk: each for each in panel if each.may_interview}
        if not members:
            raise BankError(NOBODY)
        version.freeze(cards, now)
        # Again, now that `freeze` holds the version: two may have been sent at once.
        if planned := self.filter(pk=key, owner=owner).first():
            return planned
        made = self.create(
            pk=key,
            owner=owner,
            candidate=candidate,
            version=version,
            held_on=held_on,
            made_at=now,
        )
        PanelMember.objects.bulk_create(
            PanelMember(interview=made, user=each) for each in members.values()
        )
        Asked.objects.bulk_create(
            Asked(interview=made, question=each, card_id=each.card_id)
            for each in version.in_order()
        )
        AuditEntry.objects.note(owner.pk, Verb.PLANNED, made.pk, now)
        return made


class Interview(models.Model):
    """`revision` grows with everything that the candidate's page shows."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="interviews"
    )
    """Who set it up."""
    candidate = models.CharField(max_length=NAME_LENGTH)
    """A name or an alias, nothing else; "" when anonymised."""
    version = models.ForeignKey(
        KitVersion, on_delete=models.PROTECT, related_name="interviews"
    )
    held_on = models.DateField()
    made_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    """When the first question was put; clocks of notes count from here."""
    ended_at = models.DateTimeField(null=True)
    anonymised_at = models.DateTimeField(null=True)
    asked_now = models.ForeignKey(
        "bank.Asked", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    """What is before the candidate; None before the first and after the last."""
    rung_now = models.CharField(max_length=100, blank=True)
    """The follow-up before the candidate; "" for the question itself."""
    evidence_now = models.ForeignKey(
        "bank.Evidence", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    """The run that the candidate is shown beside the question."""
    revision = models.PositiveIntegerField(default=1)

    objects = Interviews.as_manager()

    class Meta:
        ordering = ["-held_on", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return self.candidate or f"Candidate {self.pk.hex[-4:]}"

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None

    def members(self) -> "list[User]":
        """The panel, by name."""
        seats = self.panel.select_related("user").order_by("user__name_key")
        return [each.user for each in seats]

    @property
    def setup(self) -> str:
        """A short key of what `change` changes; another one when that was changed."""
        members = self.panel.values_list("user", flat=True)
        return setup_of(self.candidate, self.held_on, members)

    @transaction.atomic
    def change(
        self,
        by: "User",
        *,
        candidate: str,
        held_on: date,
        panel: Iterable["User"],
        setup: str,
        now: datetime,
    ) -> None:
        """Name, day and panel at once; a link for the candidate lasts with the day.

        Changed when they are not those of `setup` any more; the same sent twice is
        saved once. BankError when nobody would be left, or when somebody who has begun
        to score would go; an empty scorecard goes with its interviewer.
        """
        held = self.hold()
        members = {each.pk: each for each in panel}
        # Who is anonymous stays so.
        candidate = "" if held.anonymised_at else candidate
        before = held.setup
        if before == setup_of(candidate, held_on, members):
            return
        if before != setup:
            raise Changed(CHANGED, held)
        if not members:
            raise BankError(NOBODY)
        self._take_out(held.panel.exclude(user__in=members))
        PanelMember.objects.bulk_create(
            (PanelMember(interview=held, user=each) for each in members.values()),
            ignore_conflicts=True,
        )
        self.candidate, self.held_on = candidate, held_on
        self.save(update_fields=["candidate", "held_on"])
        self.links.last_with(held_on, now)
        AuditEntry.objects.note(by.pk, Verb.CHANGED, self.pk, now)

    def _take_out(self, leaving: "models.QuerySet[PanelMember]") -> None:
        theirs = self.scorecards.filter(interviewer__in=leaving.values("user"))
        # Held, so that nobody begins while it is looked at.
        list(theirs.select_for_update())
        has_begun = (
            models.Q(submitted_at__isnull=False)
            | models.Q(scores__saved_at__isnull=False)
            | models.Q(scores__notes__isnull=False)
            | ~models.Q(summary="")
        )
        if begun := theirs.filter(has_begun).select_related("interviewer").first():
            raise BankError(HAS_BEGUN.format(begun.interviewer.name))
        theirs.delete()
        leaving.delete()

    @transaction.atomic
    def make_link(
        self, by: "User", now: datetime, key: UUID | None = None
    ) -> tuple["CandidateLink", str]:
        """For the candidate, with its token; the link before it and its seats end.
        With the `key` of a form, one that is sent twice makes one link.

        Frozen when the interview is anonymised, Changed when the form's link ended.
        """
        self.hold()
        if key and (made := self.links.of_form(self, key)):
            return made
        link, token = self.links.make(self, now, key)
        AuditEntry.objects.note(by.pk, Verb.LINKED, self.pk, now, link.pk)
        return link, token

    @transaction.atomic
    def revoke_link(self, by: "User", now: datetime) -> None:
        """The candidate's page closes at once; a second time changes nothing."""
        self.hold()
        for link in self.links.filter(revoked_at=None):
            link.revoke(now)
            AuditEntry.objects.note(by.pk, Verb.REVOKED, self.pk, now, link.pk)

    def in_order(self) -> "models.QuerySet[Asked]":
        return self.asked.select_related("question").order_by("question__position")

    def elapsed_s(self, now: datetime) -> int:
        """Whole seconds since the first question; 0 before it."""
        began = self.started_at
        return max(0, int((now - began).total_seconds())) if began else 0

    @transaction.atomic
    def put(self, asked: "Asked", rung_id: str, now: datetime) -> None:
        """Put a question, or one of its follow-ups, before the candidate."""
        held = self._held()
        if rung_id and rung_id not in asked.question.rungs_named:
            raise BankError("This follow-up is not in the kit.")
        if held.started_at is None:
            held.started_at = now
        Asked.objects.filter(pk=asked.pk, asked_at=None).update(asked_at=now)
        same = held.asked_now_id == asked.pk
        held.asked_now, held.rung_now = asked, rung_id
        held.evidence_now = held.evidence_now if same else None
        held.save(update_fields=["started_at", "asked_now", "rung_now", "evidence_now"])
        self._changed()

    @transaction.atomic
    def clear(self) -> None:
        """Nothing is before the candidate."""
        held = self._held()
        held.asked_now, held.rung_now, held.evidence_now = None, "", None
        held.save(update_fields=["asked_now", "rung_now", "evidence_now"])
        self._changed()

    @transaction.atomic
    def show(self, evidence: "Evidence") -> None:
        """A run beside the question that is asked now; BankError when that is another
        than the run's."""
        held = self._held()
        if evidence.asked_id != held.asked_now_id:
            raise BankError(NOT_BEFORE_THEM)
        held.evidence_now = evidence
        held.save(update_fields=["evidence_now"])
        self._changed()

    @transaction.atomic
    def hide(self, evidence: "Evidence") -> None:
        """The candidate is not shown this run; one that is not shown stays so."""
        held = self.hold()
        if held.evidence_now_id == evidence.pk:
            held.evidence_now = None
            held.save(update_fields=["evidence_now"])
            self._changed()

    @transaction.atomic
    def end(self, by: "User", now: datetime) -> None:
        """The candidate's page shows no question any more; scoring goes on. A second
        time changes nothing."""
        going_on = Interview.objects.filter(pk=self.pk, ended_at=None)
        if going_on.update(
            ended_at=now, asked_now=None, rung_now="", evidence_now=None
        ):
            AuditEntry.objects.note(by.pk, Verb.ENDED, self.pk, now)
            self._changed()

    def hold(self) -> "Interview":
        """As it is now, until the transaction ends."""
        return Interview.objects.select_for_update(no_key=True).get(pk=self.pk)

    def _held(self) -> "Interview":
        held = self.hold()
        if held.is_over:
            raise BankError("This interview is over: nothing is asked any more.")
        return held

    def _changed(self) -> None:
        Interview.objects.filter(pk=self.pk).update(revision=F("revision") + 1)
        self.refresh_from_db()


def setup_of(candidate: str, held_on: date, members: Iterable[UUID]) -> str:
    told = [candidate, held_on.isoformat(), *sorted(each.hex for each in members)]
    return hashed("\n".join(told))[:16]
